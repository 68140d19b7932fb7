import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { quotedIdentifier, stringLiteral } from "./literals.ts";
import { tokensOf } from "./sql-tokens.ts";
import { parseStatement } from "./statement.ts";

const AWKWARD = [
  "'",
  '"',
  "`",
  "\\",
  "-",
  "/",
  "*",
  "#",
  "$",
  "(",
  ")",
  ";",
  "\n",
  " ",
  "a",
  "é",
  "‘",
  "’",
  "“",
  "”",
];

const latin1 = (sql: string): string => Buffer.from(sql, "utf8").toString("latin1");
const parse = (sql: string) => parseStatement(latin1(sql));

describe("reading a statement", () => {
  it.each([
    ["SELECT 1", undefined],
    ["SELECT 1 FORMAT JSON", "JSON"],
    ["select 1 format JSON;", "JSON"],
    ["SELECT 1 FORMAT JSON -- bye", "JSON"],
    ["SELECT 1 FORMAT `CSV` SETTINGS max_threads = 1", "CSV"],
    ["SELECT 'FORMAT CSV'", undefined],
    ["SELECT 1 -- FORMAT CSV", undefined],
    ["SELECT (SELECT 1 FORMAT CSV)", undefined],
    ["SELECT format x", undefined],
    ["SELECT a, format x", undefined],
    ["SELECT 1 AS format", undefined],
    ["SELECT a FROM format", undefined],
  ])("finds the format of %s", (sql, format) => {
    expect(parse(sql)).toMatchObject({ kind: "rows", format });
  });

  it.each([
    "SELECT 1; SELECT 2",
    "SELECT 1;;DROP TABLE x",
    "CREATE TABLE a (x Int8) ENGINE = Memory; DROP TABLE b",
    "SELECT 1 -- ;\n; SELECT 2",
    "SELECT '\\'' ; SELECT 2",
    "SELECT /* /* */ ; */ 1; SELECT 2",
    "SELECT ‘'’; DROP TABLE x; --'",
    "INSERT INTO t SELECT 1; DROP TABLE x",
    "",
    " ;",
  ])("refuses %j, which is not one statement", (sql) => {
    expect(() => parse(sql)).toThrow(/\(SYNTAX_ERROR\)$/);
  });

  it.each([
    "SELECT ';'",
    "SELECT 1;",
    "SELECT $$;$$",
    "SELECT `;`",
    'SELECT ";"',
    "SELECT /* ; */ 1 -- ;",
    "SELECT “;”",
    "SELECT 1 ; -- done",
  ])("sees one statement in %j", (sql) => expect(parse(sql).kind).toBe("rows"));

  it.each([
    ["INSERT INTO t FORMAT CSV\n1,2", "CSV", "", "1,2"],
    ["insert into db.format format CSV \t\r\n\n1", "CSV", "", "\n1"],
    [
      "INSERT INTO TABLE `t;` (a, b) SETTINGS x = 'FORMAT', y = 1 FORMAT JSONEachRow {}",
      "JSONEachRow",
      "SETTINGS x = 'FORMAT', y = 1 ",
      "{}",
    ],
    ["INSERT INTO t VALUES (1), (2)", "Values", "", " (1), (2)"],
    ["INSERT INTO values (* EXCEPT(b)) VALUES", "Values", "", ""],
    ["INSERT INTO {t:Identifier} FORMAT CSV\nש", "CSV", "", "ש"],
    ["INSERT INTO FUNCTION null('x Int8') FORMAT CSV 1", "CSV", "", "1"],
    ["INSERT INTO t", undefined, "", ""],
  ])("finds the parts of %j", (sql, format, settings, data) => {
    const bytes = Buffer.from(sql);
    const statement = parse(sql);
    if (statement.kind !== "insert-data") throw new Error(`It was taken for ${statement.kind}`);
    expect(statement.format).toBe(format);
    expect(bytes.toString("utf8", ...statement.settings)).toBe(settings);
    expect(bytes.toString("utf8", statement.dataStart)).toBe(data);
  });

  it.each([
    "INSERT INTO t SELECT 1",
    "INSERT INTO t (a) WITH 1 AS x SELECT x",
    "INSERT INTO t (SELECT 1)",
    "INSERT INTO t SETTINGS a = 1 SELECT 1",
  ])("takes the rows of %s from the query", (sql) => expect(parse(sql).kind).toBe("insert-select"));

  it("never takes any text within quotes for SQL", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const literal = [...tokensOf(latin1(`SELECT ${stringLiteral(text)} AS x`))];
        expect(literal.map(({ kind }) => kind)).toEqual(["word", "string", "word", "word"]);
        const name = [...tokensOf(latin1(`SELECT ${quotedIdentifier(text)} AS x`))];
        expect(name.map(({ kind }) => kind)).toEqual(["word", "quoted", "word", "word"]);
      }),
    );
  });

  it("covers any text with tokens in order and ends", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...AWKWARD) }), (text) => {
        let at = 0;
        for (const token of tokensOf(latin1(text))) {
          expect(token.start).toBeGreaterThanOrEqual(at);
          expect(token.end).toBeGreaterThan(token.start);
          at = token.end;
        }
      }),
    );
  });
});
