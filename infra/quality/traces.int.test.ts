import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { readAheadMs } from "@pro-talent/platform/runtime/clock";
import { until } from "@pro-talent/platform/testing/until";
import {
  recordedSpans,
  type SpanRecord,
} from "@pro-talent/platform/tracing/testing/recorded-spans";
import { SessionStarted } from "@pro-talent/schemas/analytics/wire";
import { afterAll, beforeAll, expect, it } from "vitest";

import { moveClock } from "../embedded/test-clock.ts";
import { temporaryDirectory } from "../embedded/testing/temporary-directory.ts";
import { figuresLookedAt } from "../observability/rules.ts";
import { openProduct } from "./testing/open-product.ts";
import { ProductHolder } from "./testing/product-holder.ts";

let product: Awaited<ReturnType<typeof openProduct>>;
let traces: Awaited<ReturnType<typeof recordedSpans>>;
let sql: Sql;
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let clockFile: string;

beforeAll(async () => {
  traces = await recordedSpans();
  directory = await temporaryDirectory();
  clockFile = join(directory.path, "test-clock.json");
  product = await openProduct({ TIMERS_SWEEP_MS: "200", TEST_CLOCK_FILE: clockFile });
  await product.listen();
  sql = openPool(product.ownerUrl, { max: 2, applicationName: "test" });
}, 120_000);
afterAll(async () => {
  await sql.end();
  await product.close();
  await traces.stop();
  await directory.remove();
});

const planted = {
  "user-agent":
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  "accept-language": "he,en;q=0.8",
  "x-forwarded-for": "203.0.113.77",
};

async function report(path: string, payload: object) {
  const app = product.services.get("collector")?.app;
  if (app === undefined) throw new Error("The collector is not open");
  return await app.inject({
    method: "POST",
    url: `/api/analytics/${path}`,
    headers: planted,
    payload,
  });
}

/** Spans that hang on no span of the trace, beside its first. */
const orphans = (spans: readonly SpanRecord[]) =>
  spans.filter(({ parent }) => parent !== undefined && !spans.some(({ id }) => id === parent));

it("a click leads in one trace from the browser to its row, which has the trace's id", async () => {
  const started = await report("session/start", { landingPage: "/" });
  const { sessionId } = SessionStarted.parse(started.json());
  const decision = { sessionId, hasConsent: true, consentType: "detailed", method: "accept_all" };
  expect((await report("session/consent", decision)).statusCode).toBe(200);
  const eventId = randomUUID();
  const click = { sessionId, element: "hero", page: "/?mail=dana@example.com", eventId };
  const answer = await report("track/click", { ...click, occurredAt: Date.now() - 50 });
  expect(answer.json()).toEqual({ outcome: "stored" });
  const { client, database } = product.clickhouse;
  await until("the row is stored", async () => {
    const query = `SELECT event_id FROM ${database}.events WHERE event_id = '${eventId}'`;
    return (await (await client.query({ query, format: "JSONEachRow" })).json()).length === 1;
  });
  await until("its span is recorded", () => traces.of(eventId).length >= 3);
  const spans = traces.of(eventId);
  expect(spans.map(({ name }) => name)).toEqual(["browser click", "append to spool", "insert row"]);
  expect(orphans(spans)).toEqual([]);
  // The insert of the whole segment is linked, down to the id of the query of ClickHouse.
  const segment = String(spans.at(-1)?.fields["segment"]);
  await until("the shipment has ended", () =>
    traces.of(segment).some(({ name }) => name === "ship segment"),
  );
  const shipment = traces.of(segment);
  expect(spans.at(-1)?.links).toEqual([{ trace: segment.replaceAll("-", "") }]);
  expect(shipment.map(({ name }) => name)).toContain("clickhouse");
  expect(orphans(shipment)).toEqual([]);
});

it("without consent a report is counted, and no trace has its id", async () => {
  const started = await report("session/start", { landingPage: "/" });
  const { sessionId } = SessionStarted.parse(started.json());
  const eventId = randomUUID();
  const answer = await report("track/click", { sessionId, element: "hero", page: "/", eventId });
  expect(answer.json()).toMatchObject({ outcome: "counted" });
  expect(traces.of(eventId)).toEqual([]);
});

it("a deletion leads in one trace from the call through thirty days of waiting to its scan", async () => {
  const clock = () => Date.now() + readAheadMs(clockFile);
  const dana = await new ProductHolder(product, sql, clock).join("dana@example.com");
  const asked = await dana.post("/api/privacy/requests/delete", { email: "dana@example.com" });
  const { requestId } = asked.json<{ request: { requestId: string } }>().request;
  const stream = `privacy-${requestId}`;
  const events = () => sql<{ type: string; correlation: string }[]>`
    select type, meta::jsonb ->> 'correlationId' as correlation
      from ledger.event where stream = ${stream} order by version`;
  const byMs = 31 * 24 * 60 * 60_000;
  await moveClock({ owner: sql, file: clockFile, byMs, report: () => undefined });
  await until("it is erased and looked for", async () =>
    (await events()).some(({ type }) => type === "ScanClean"),
  );
  const correlations = new Set((await events()).map(({ correlation }) => correlation));
  expect(correlations.size).toBe(1);
  const spans = traces.of([...correlations][0] ?? "");
  const names = spans.map(({ name }) => name);
  expect(names).toContain("POST /api/privacy/requests/delete");
  expect(names.filter((name) => name.startsWith("timer privacy."))).not.toEqual([]);
  expect(orphans(spans)).toEqual([]);
}, 240_000);

it("a call from service to service stays in the trace; one from outside cannot join another's", async () => {
  const traceparent = `00-${randomUUID().replaceAll("-", "")}-00f067aa0ba902b7-01`;
  const before = traces.all().length;
  const app = product.services.get("ledger")?.app;
  await app?.inject({ url: "/api/nothing", headers: { traceparent } });
  const [refused] = traces.all().slice(before);
  expect(refused).toMatchObject({ parent: undefined });
  expect(traceparent).not.toContain(refused?.trace);
});

it("no span holds anything about a person", async () => {
  const text = JSON.stringify(traces.all());
  for (const personal of ["dana", "example.com", "203.0.113.77", "Mozilla", "Levi"]) {
    expect(text.toLowerCase()).not.toContain(personal.toLowerCase());
  }
});

it("every figure that a rule or the dashboard looks at is measured by a process", async () => {
  const texts = await Promise.all(
    [...product.services.values()].map(async ({ app }) => (await app.inject("/metrics")).body),
  );
  const measured = new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/^# TYPE (\w+) (\w+)$/gmu)].flatMap(([, name = "", type]) =>
        type === "histogram" ? [`${name}_bucket`, `${name}_count`] : [name],
      ),
    ),
  );
  const backups = readFileSync(new URL("../backup/metrics.ts", import.meta.url), "utf8");
  for (const [, name = ""] of backups.matchAll(/"(backup_\w+)"/gu)) measured.add(name);
  expect([...figuresLookedAt()].filter((name) => !measured.has(name))).toEqual([]);
});
