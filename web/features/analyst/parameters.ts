import { todayIn } from "../days-in-query.ts";
import { daysOfRange, initialRange } from "./work/range.ts";

/** How a parameter is asked for. */
export type ParameterKind = "date" | "date-time" | "number" | "text";
export type QueryParameter = {
  readonly name: string;
  /** As ClickHouse names it. */
  readonly type: string;
  readonly kind: ParameterKind;
};

function kindOf(type: string): ParameterKind {
  const inner = /^Nullable\((.*)\)$/u.exec(type)?.[1] ?? type;
  if (/^Date(?:32)?$/u.test(inner)) return "date";
  if (inner.startsWith("DateTime")) return "date-time";
  return /^(?:U?Int|Float|Decimal)/u.test(inner) ? "number" : "text";
}

/** Texts, quoted names and comments of SQL, in which a brace means nothing. */
const quoted =
  /'(?:\\[^]|''|[^'\\])*'|"(?:\\[^]|[^"\\])*"|`(?:\\[^]|[^`\\])*`|--[^\n]*|\/\*[^]*?\*\//gu;
const parameter = /\{\s*([a-z]\w{0,40})\s*:\s*([^{}]+?)\s*\}/giu;

/** The parameters of a query, `{name:Type}`, in the order of their first use. */
export function parametersIn(text: string): readonly QueryParameter[] {
  const found = new Map<string, QueryParameter>();
  for (const [, name = "", type = ""] of text.replaceAll(quoted, "''").matchAll(parameter))
    if (!found.has(name)) found.set(name, { name, type, kind: kindOf(type) });
  return [...found.values()];
}

/** The value of a parameter; days called `from` and `to` begin with those of a new dashboard. */
export function valueOf(
  { name, kind }: QueryParameter,
  values: Readonly<Record<string, string>>,
): string {
  const known = values[name];
  if (known !== undefined || kind !== "date" || (name !== "from" && name !== "to"))
    return known ?? "";
  return daysOfRange(initialRange, todayIn("UTC"))[name];
}

export type ParameterFault = "missing" | "number";

/** What is wrong with the value of a parameter; a text may be empty. */
export function parameterFault(
  { kind }: QueryParameter,
  value: string,
): ParameterFault | undefined {
  if (value.trim() === "") return kind === "text" ? undefined : "missing";
  return kind === "number" && !Number.isFinite(Number(value)) ? "number" : undefined;
}

/** The values as the engine reads them, of the parameters that the query has. */
export function sentParameters(
  parameters: readonly QueryParameter[],
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    parameters.map((parameter) => {
      const { name, kind } = parameter;
      const value = valueOf(parameter, values);
      // A field for times has `T` between day and time, and no seconds while they are none.
      const time = value.replace("T", " ");
      return [name, kind !== "date-time" ? value : time.length === 16 ? `${time}:00` : time];
    }),
  );
}
