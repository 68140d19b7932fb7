import { randomUUID } from "node:crypto";

import { connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type Insights, openInsightsUnderTest } from "../testing/insights-under-test.ts";
import { pseudonymKeyOf } from "./engines.ts";
import { type QueryEngine, runQuery } from "./run-query.ts";
import { attempts } from "./testing/attempts.ts";

const secret = Buffer.alloc(32, 7);
let insights: Insights;
let engine: QueryEngine;
let files: number;

beforeAll(async () => {
  insights = await openInsightsUnderTest();
  const clickhouse = connectClickhouse(insights.clickhouseUrl, { application: "test" });
  engine = {
    clickhouse,
    parser: clickhouse,
    secondsMax: 2,
    database: insights.database,
    pseudonymKey: pseudonymKeyOf(secret, "analyst"),
  };
  files = await storedRows();
});
afterAll(async () => {
  await engine.clickhouse.close();
  await insights.close();
});

async function storedRows(): Promise<number> {
  const result = await insights.clickhouse.query({
    query: "SELECT count() AS n FROM system.tables WHERE database = currentDatabase()",
    format: "JSONEachRow",
  });
  const [row] = await result.json<{ n: number }>();
  return row?.n ?? -1;
}

const ask = (text: string, parameters: Readonly<Record<string, string>> = {}) =>
  runQuery(engine, {
    queryId: randomUUID(),
    text,
    parameters,
    format: "json",
    signal: AbortSignal.timeout(60_000),
  });
async function problemOf(text: string, parameters?: Readonly<Record<string, string>>) {
  const error: unknown = await ask(text, parameters).catch((caught: unknown) => caught);
  if (!(error instanceof ProblemError)) return { code: "none", error };
  return { code: error.code, ...error.errors?.[0] };
}

describe("an attempt", () => {
  it("is tried in more than 120 forms, none twice", () => {
    expect(new Set(attempts.map(({ text }) => text)).size).toBe(attempts.length);
    expect(attempts.length).toBeGreaterThanOrEqual(120);
  });

  it.each(attempts)("$tries is refused with a message: $text", async ({ text }) => {
    const problem = await problemOf(text.replaceAll("DB", insights.database));
    expect(problem).toMatchObject({
      code: expect.stringMatching(/^query_(?:refused|wrong|limited)$/u),
      message: expect.stringMatching(/\S/u),
    });
    expect(JSON.stringify(problem)).not.toContain(engine.pseudonymKey);
  });

  it("has left the database as it was", async () => {
    expect(await storedRows()).toBe(files);
  });
});

it("a query may name columns in functions whose names end as IN does", async () => {
  const text =
    "SELECT min(day), argMin(channel, day) FROM sessions WHERE day NOT IN ('2026-03-01')";
  expect((await ask(text)).rowsRead).not.toBeNull();
});
