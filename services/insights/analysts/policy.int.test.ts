import { analystViews } from "@pro-talent/schemas/analysts/views";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { type Insights, openInsightsUnderTest } from "../testing/insights-under-test.ts";
import { allowedFunctions, querySettings, storedView } from "./policy.ts";
import { dropStatement, grantStatement, groupStatements, userStatement } from "./server-users.ts";

let insights: Insights;
beforeAll(async () => {
  insights = await openInsightsUnderTest();
});
afterAll(() => insights.close());

async function rowsOf<Row extends z.ZodType>(
  row: Row,
  query: string,
  params: Readonly<Record<string, string | readonly string[]>> = {},
): Promise<z.output<Row>[]> {
  const asked = { query, query_params: { ...params }, format: "JSONEachRow" } as const;
  return z.array(row).parse(await (await insights.clickhouse.query(asked)).json());
}

describe("the policy", () => {
  it.each(Object.keys(analystViews))("describes each column of %s as it is", async (view) => {
    const described = Object.entries(analystViews).find(([name]) => name === view)?.[1];
    const key = described?.isKeyed === true ? "(_pseudonym_key = 'any')" : "";
    const columns = await rowsOf(
      z.object({ name: z.string(), type: z.string() }),
      `DESCRIBE TABLE (SELECT * FROM ${storedView(view)}${key})`,
    );
    const stated = Object.entries(described?.columns ?? {});
    expect(columns.map(({ name, type }) => [name, type])).toEqual(
      stated.map(([name, { type }]) => [name, type]),
    );
  });

  it("names functions and settings that exist", async () => {
    const known = await rowsOf(
      z.object({ name: z.string().toLowerCase() }),
      "SELECT name FROM system.functions",
    );
    const names = new Set(known.map(({ name }) => name));
    // Words of the language, which the engine writes as functions.
    const parsed = ["exists", "lambda", "grouping", "countdistinct"];
    expect(
      allowedFunctions
        .map((name) => name.toLowerCase())
        .filter((name) => !names.has(name) && !parsed.includes(name)),
    ).toEqual([]);
    const settings = await rowsOf(
      z.object({ name: z.string() }),
      "SELECT name FROM system.settings WHERE name IN {names:Array(String)}",
      { names: Object.keys(querySettings) },
    );
    expect(settings).toHaveLength(Object.keys(querySettings).length);
  });
});

const analystId = "1c8d5a8f-0b62-4b70-9e3f-4b206dafae21";

describe("what a server receives of the policy", () => {
  const secret = Buffer.alloc(32, 3);
  const user = userStatement(secret, analystId, instantFromMs(Date.UTC(2027, 0, 1)));
  const statements = [
    ...groupStatements("pro_talent"),
    user,
    grantStatement(analystId),
    dropStatement(analystId),
  ];

  it.each(statements)("is a statement that the engine reads: %s", async (statement) => {
    const rows = await rowsOf(
      z.object({ text: z.string() }),
      "SELECT formatQuerySingleLine({statement:String}) AS text",
      {
        statement,
      },
    );
    expect(rows[0]?.text).toMatch(/^(?:CREATE|GRANT|REVOKE|DROP) /u);
  });

  it("grants the views of analysts and nothing else, under settings that cannot be changed", () => {
    const grants = statements.filter((text) => text.startsWith("GRANT SELECT"));
    expect(grants).toHaveLength(Object.keys(analystViews).length);
    for (const grant of grants)
      expect(grant).toMatch(/ ON `pro_talent`\.analyst_\w+ TO analysts$/u);
    expect(statements.join("\n")).not.toMatch(/GRANT (?!SELECT|analysts)|ADMIN|WITH GRANT/u);
    expect(statements[0]?.match(/ CONST/gu)?.length).toBe(Object.keys(querySettings).length);
    expect(user).toContain("VALID UNTIL '2027-01-01 00:00:00 UTC'");
    expect(user).not.toContain(secret.toString("hex"));
  });
});
