import { randomUUID } from "node:crypto";

import { makeToken } from "@pro-talent/accounts/access-tokens";
import { insertAccount } from "@pro-talent/accounts/accounts";
import { readKeySettings } from "@pro-talent/accounts/key-settings";
import { type AccountKeys, openAccountKeys } from "@pro-talent/accounts/keys";
import { openSession } from "@pro-talent/accounts/sessions";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { analystLimits } from "@pro-talent/schemas/analysts/limits";
import type { Role } from "@pro-talent/schemas/primitives/access";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";

import { openProduct } from "./testing/open-product.ts";

let product: Awaited<ReturnType<typeof openProduct>>;
let sql: Sql;
let keys: AccountKeys;

beforeAll(async () => {
  product = await openProduct();
  await product.listen();
  sql = openPool(product.ownerUrl, { applicationName: "test" });
  keys = await openAccountKeys(sql, readKeySettings(product.accountsKeys), Date.now());
});
afterAll(async () => {
  await sql.end();
  await product.close();
});

async function accountWith(role: Role) {
  const accountId = randomUUID();
  const profile = { fullName: "Noa Levi", language: "en", timeZone: "UTC" } as const;
  const email = `${accountId}@example.com`;
  const account = { accountId, email, profile, passwordHash: "", nowMs: Date.now() };
  await sql.begin((tx) => insertAccount(tx, keys, account));
  await sql`update accounts.account set roles = ${["holder", role]}::text[] where account_id = ${accountId}`;
  const nowMs = Date.now();
  const session = await openSession(sql, { accountId, factor: true, userAgent: undefined, nowMs });
  return { accountId, token: session.token };
}

const appOf = (name: string): FastifyInstance => {
  const service = product.services.get(name);
  if (service === undefined) throw new Error(`There is no service ${name}`);
  return service.app;
};
/** Calls a service with a token: `POST` with a body, else `GET`. */
const callWith = (token: string) => (service: string, url: string, body?: object) =>
  appOf(service).inject({
    method: body === undefined ? "GET" : "POST",
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(body && { payload: body }),
  });

it("what an analyst and their notebook ask is in the ledger, and an officer reads it there", async () => {
  const analyst = await accountWith("analyst");
  const officer = await accountWith("officer");
  const [asAnalyst, asOfficer] = [callWith(analyst.token), callWith(officer.token)];
  const text = "SELECT count() AS visits FROM sessions";
  const asked = { queryId: randomUUID(), text };
  const url = "/api/console/analyst/queries";
  const shown = await asAnalyst("insights", url, asked);
  expect(shown.json()).toMatchObject({ rows: [[0]], columns: [{ name: "visits" }] });
  const notebook = await makeToken(
    { sql, keys, clock: Date.now },
    { accountId: analyst.accountId, name: "Notebook", scopes: ["analytics:query"], days: 30 },
  );
  const refused = { queryId: randomUUID(), text: "SELECT * FROM system.tables" };
  const api = "/api/v1/analytics/queries.csv";
  const answer = await callWith(notebook?.secret ?? "")("insights", api, refused);
  expect(answer.json()).toMatchObject({ code: "query_refused" });
  const streamed = { queryId: randomUUID(), text };
  const file = await callWith(notebook?.secret ?? "")("insights", api, streamed);
  expect(file.body).toBe('"visits"\n0\n');
  const again = await asAnalyst("insights", url, asked);
  expect(again.json()).toMatchObject({ code: "query_id_used" });
  const base = "/api/console/privacy/analyst-queries";
  const listed = await asOfficer("ledger", `${base}?analystId=${analyst.accountId}`);
  expect(listed.json()).toMatchObject({
    queries: [
      { queryId: streamed.queryId, outcome: "shown", format: "csv", resultBytes: 11 },
      { queryId: refused.queryId, channel: "program", outcome: "refused", format: "csv" },
      { queryId: asked.queryId, channel: "console", outcome: "shown", views: ["sessions"] },
    ],
  });
  const read = await asOfficer("ledger", `${base}/${asked.queryId}/read`, {});
  expect(read.json()).toEqual({ text, parameters: {} });
});

it("a saved query is a tile of a dashboard that an administrator looks at; own queries are in the history", async () => {
  const [analyst, administrator] = [
    await accountWith("analyst"),
    await accountWith("administrator"),
  ];
  const asAnalyst = callWith(analyst.token);
  const work = "/api/console/analyst/work";
  const text = `SELECT channel, uniqExact(visitor_id) AS visitors FROM sessions
    WHERE day BETWEEN {from:Date} AND {to:Date} GROUP BY channel`;
  const save = async (title: string, content: object) => {
    const answer = await asAnalyst("ledger", `${work}/saved`, { title, content });
    return answer.json<{ saved: { workId: string }; code?: string; errors?: object[] }>();
  };
  const queryOf = (written: string) => ({
    kind: "query",
    text: written,
    chart: { kind: "bar", x: "channel", y: ["visitors"] },
  });
  const dashboardOf = (queryId: string) => ({
    kind: "dashboard",
    tiles: [{ tileId: randomUUID(), width: 1, source: { kind: "query", queryId } }],
    range: { kind: "last", days: 30 },
  });
  const free = await save(
    "Free",
    queryOf("SELECT channel, count() FROM sessions GROUP BY channel"),
  );
  expect(await save("No", dashboardOf(free.saved.workId))).toMatchObject({
    code: "query_not_withheld",
    errors: [{ pointer: "/text" }],
  });
  const query = await save("By channel", queryOf(text));
  const content = dashboardOf(query.saved.workId);
  const { workId } = (await save("Week", content)).saved;
  const tile = `/api/console/analyst/dashboards/${workId}/tiles/${content.tiles[0]?.tileId ?? ""}`;
  const days = { from: "2026-03-01", to: "2026-03-31" };
  const look = () =>
    callWith(administrator.token)("insights", tile, { queryId: randomUUID(), ...days });
  expect((await look()).json()).toMatchObject({ code: "work_not_found" });
  await appOf("ledger").inject({
    method: "PUT",
    url: `${work}/saved/${workId}/sharing`,
    headers: { authorization: `Bearer ${analyst.token}` },
    payload: { sharedWith: ["administrator"] },
  });
  expect((await look()).json()).toMatchObject({
    kind: "query",
    title: "By channel",
    result: { columns: [{ name: "channel" }, { name: "visitors" }], rows: [], isWithheld: false },
  });
  const shown = { queryId: randomUUID(), text, parameters: days };
  await asAnalyst("insights", "/api/console/analyst/queries", shown);
  const history = await asAnalyst("ledger", `${work}/history`);
  expect(history.json()).toMatchObject({
    queries: [{ queryId: shown.queryId, channel: "console", text, parameters: days }],
    next: null,
  });
});

it("two instances of the service count the queries of an analyst's hour together", async () => {
  const analyst = await accountWith("analyst");
  const second = await product.openAnother("insights");
  const before = analystLimits.queriesPerHour - 2;
  await sql`
    insert into ledger.analyst_query (pos, query_id, analyst_id, ran_at, channel, format, outcome, views,
        rows_read, result_bytes, milliseconds, text_hash)
    select 0, gen_random_uuid(), ${analyst.accountId}, now(), 'console', 'json', 'shown', '{}', 1, 1, 1, ''
      from generate_series(1, ${before}::int)`;
  const ask = async ({ app }: { app: FastifyInstance }) =>
    await app.inject({
      method: "POST",
      url: "/api/console/analyst/queries",
      headers: { authorization: `Bearer ${analyst.token}` },
      payload: { queryId: randomUUID(), text: "SELECT 1" },
    });
  const instances = [{ app: appOf("insights") }, second];
  for (const instance of instances) expect((await ask(instance)).statusCode).toBe(200);
  for (const instance of instances)
    expect((await ask(instance)).json()).toMatchObject({ code: "query_quota_used" });
  await second.close();
});
