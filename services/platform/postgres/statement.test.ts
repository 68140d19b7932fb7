import { describe, expect, it } from "vitest";

import { Identifier, type Prepared, type SqlValue, Statement } from "./statement.ts";

function statement(text: TemplateStringsArray, ...values: SqlValue[]): Statement<object[]> {
  return new Statement(text, values, () => Promise.reject(new Error("not to be run")));
}

describe("a statement", () => {
  it("sends its values apart from its text", () => {
    const name = "'; drop table ledger.event; --";
    expect(statement`select ${1}, ${name}, ${null}, ${[1, 2]}`.prepare()).toEqual({
      text: "select $1, $2, $3, $4",
      values: [1, name, null, [1, 2]],
    });
  });

  it("takes in another statement, with its values numbered on", () => {
    const inner = statement`a = ${"x"} and b = ${"y"}`;
    expect(statement`select ${0} where ${inner} or c = ${"z"}`.prepare()).toEqual({
      text: "select $1 where a = $2 and b = $3 or c = $4",
      values: [0, "x", "y", "z"],
    });
  });

  it("quotes names, each part of a qualified one by itself", () => {
    expect(statement`select from ${new Identifier('ledger.odd"name')}`.prepare()).toEqual({
      text: 'select from "ledger"."odd""name"',
      values: [],
    });
  });

  it("runs when it is awaited, once, and not before", async () => {
    const ran: Prepared[] = [];
    const counted = new Statement<{ n: number }[]>(["select 1"], [], (prepared) => {
      ran.push(prepared);
      return Promise.resolve(Object.assign([{ n: 1 }], { count: 1 }));
    });
    expect(ran).toHaveLength(0);
    const rows = await counted;
    expect(rows[0]).toEqual({ n: 1 });
    expect(await counted).toBe(rows);
    expect(ran).toHaveLength(1);
  });
});
