import type { DaysAsked } from "../../days-in-query.ts";
import { parametersIn as namedIn } from "../parameters.ts";
import type { QueryContent } from "./work-queries.ts";

type Parameter = QueryContent["parameters"][number];

/**
 * The parameters that a text names, with the values from which a query begins. Those that were there keep
 * theirs; `from` and `to` begin with the days that are given.
 */
export function parametersIn(
  text: string,
  before: readonly Parameter[],
  days: DaysAsked,
): Parameter[] {
  const values = new Map(before.map(({ name, value }) => [name, value]));
  return namedIn(text).map(({ name, kind }) => {
    const usual = name === "from" || name === "to" ? days[name] : "";
    return { name, kind, value: values.get(name) ?? usual };
  });
}
