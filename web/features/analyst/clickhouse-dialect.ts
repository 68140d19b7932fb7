import type { CompletionSource } from "@codemirror/autocomplete";
import { SQLDialect } from "@codemirror/lang-sql";

import type { Described } from "./analyst-calls.ts";

const keywords =
  "all and any array as asc between by case cross cube desc distinct else end except exists false fill final first from full global group having if ilike in inner intersect interval into is join last left like limit not null nulls offset on or order outer over partition prewhere right rollup rows sample select semi settings step then ties to totals true union using when where window with";
const types =
  "array bool date date32 datetime datetime64 decimal enum8 enum16 float32 float64 int8 int16 int32 int64 lowcardinality map nullable string tuple uint8 uint16 uint32 uint64 uuid";

/** ClickHouse's words, as far as queries of analysts have them. */
export const clickHouse = SQLDialect.define({
  keywords,
  types,
  backslashEscapes: true,
  hashComments: true,
  slashComments: true,
  doubleDollarQuotedStrings: true,
  identifierQuotes: '`"',
  operatorChars: "*+-%<>!=&|~^/?:",
  caseInsensitiveIdentifiers: false,
});

type Words = { column: (view: string) => string; view: string; function: string };

/**
 * Completes names of views, of the columns of the views that the text names (of all where it names none), and of the
 * functions that queries may use.
 */
export function completionsOf({ views, functions }: Described, words: Words): CompletionSource {
  const always = [
    ...views.map(({ name, summary }) => ({
      label: name,
      type: "class",
      detail: words.view,
      info: summary,
    })),
    ...functions.map((name) => ({
      label: name,
      type: "function",
      apply: `${name}(`,
      detail: words.function,
    })),
    ...keywords.split(" ").map((word) => ({ label: word.toUpperCase(), type: "keyword" })),
  ];
  return (context) => {
    const before = context.matchBefore(/\w+/u);
    if (before === null && !context.explicit) return null;
    const text = context.state.doc.toString();
    const named = views.filter(({ name }) => new RegExp(`\\b${name}\\b`, "u").test(text));
    const seen = new Set<string>();
    const columns = (named.length === 0 ? views : named).flatMap(({ name: view, columns: all }) =>
      all
        .filter(({ name }) => !seen.has(name) && seen.add(name))
        .map(({ name, type, meaning }) => ({
          label: name,
          type: "property",
          boost: 1,
          detail: type,
          info: `${words.column(view)}: ${meaning}`,
        })),
    );
    return {
      from: before?.from ?? context.pos,
      options: [...columns, ...always],
      validFor: /^\w*$/u,
    };
  };
}
