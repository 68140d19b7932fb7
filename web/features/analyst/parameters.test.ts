import { expect, test } from "vitest";

import { parameterFault, parametersIn, sentParameters } from "./parameters.ts";

test("a query's parameters are asked for once each, by their type, in the order of their use", () => {
  const text = `SELECT * FROM sessions WHERE day >= {from:Date} AND day < { to : Date }
    AND started_at > {since:DateTime('UTC')} AND page_views > {least:Nullable(UInt8)}
    AND channel IN {channels:Array(String)} AND day != {from:Date}`;
  expect(parametersIn(text).map(({ name, kind }) => [name, kind])).toEqual([
    ["from", "date"],
    ["to", "date"],
    ["since", "date-time"],
    ["least", "number"],
    ["channels", "text"],
  ]);
});

test("braces in texts, names and comments are no parameters", () => {
  const text =
    "SELECT '{a:Date}', 'it''s {b:Date}', `{c:Date}` -- {d:Date}\n /* {e:Date} */ , {f:Date}";
  expect(parametersIn(text).map(({ name }) => name)).toEqual(["f"]);
});

test("values are checked by their kind, and times are sent as the engine reads them", () => {
  const [since, least, name] = parametersIn("{since:DateTime} {least:UInt8} {name:String}");
  if (since === undefined || least === undefined || name === undefined) throw new Error("three");
  expect(parameterFault(least, "many")).toBe("number");
  expect(parameterFault(since, " ")).toBe("missing");
  expect(parameterFault(name, "")).toBeUndefined();
  const values = { since: "2026-03-01T08:30", least: "3", name: "T1", other: "x" };
  expect(sentParameters([since, least, name], values)).toEqual({
    since: "2026-03-01 08:30:00",
    least: "3",
    name: "T1",
  });
});
