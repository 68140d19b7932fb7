import type { DaysAsked } from "../days-in-query.ts";
import type { QueryContent } from "./work-queries.ts";

type Parameter = QueryContent["parameters"][number];

const written = /\{\s*([a-z]\w{0,40})\s*:\s*([A-Za-z0-9(), ]+?)\s*\}/giu;

/** How a parameter of a type of ClickHouse is asked for. */
function kindOf(type: string): Parameter["kind"] {
  const plain = /^(?:Nullable|LowCardinality)\((.*)\)$/u.exec(type)?.[1] ?? type;
  if (/^Date(?:32)?$/u.test(plain)) return "date";
  if (plain.startsWith("DateTime")) return "date-time";
  return /^(?:U?Int|Float|Decimal)/u.test(plain) ? "number" : "text";
}

/**
 * The parameters that a text names as `{from:Date}`, in their order. Those that were there keep their value;
 * `from` and `to` begin with the days that are given.
 */
export function parametersIn(
  text: string,
  before: readonly Parameter[],
  days: DaysAsked,
): Parameter[] {
  const values = new Map(before.map(({ name, value }) => [name, value]));
  const found = new Map<string, Parameter>();
  for (const [, name = "", type = ""] of text.matchAll(written)) {
    if (found.has(name)) continue;
    const usual = name === "from" || name === "to" ? days[name] : "";
    found.set(name, { name, kind: kindOf(type), value: values.get(name) ?? usual });
  }
  return [...found.values()];
}
