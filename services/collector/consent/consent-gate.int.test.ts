import { connectPostgres, type Sql } from "@pro-talent/platform/postgres/connect";
import { createTestPostgres, type TestPostgres } from "@pro-talent/platform/testing/engines";
import { until } from "@pro-talent/platform/testing/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ConsentGate } from "./consent-gate.ts";

const visitors = Array.from(
  { length: 40 },
  (_, n) => `0b7c4e38-91a5-8b1e-a7a4-${String(n).padStart(12, "0")}`,
);
const [visitor = ""] = visitors;

describe("the consent gate", () => {
  let postgres: TestPostgres;
  let owner: Sql;
  let sql: Sql;
  const batches: number[] = [];
  const changes: boolean[] = [];

  beforeAll(async () => {
    postgres = await createTestPostgres();
    owner = connectPostgres(postgres.ownerUrl, { max: 4, applicationName: "test-owner" });
    sql = connectPostgres(postgres.ownerUrl, { max: 2, applicationName: "test-gate" });
    // The shape of the ledger's view; the view itself is used where the ledger runs.
    await owner`create schema ledger`;
    await owner`create table ledger.consent_gate (visitor_id uuid primary key, granted boolean)`;
  });
  afterAll(async () => {
    await Promise.all([owner.end({ timeout: 1 }), sql.end({ timeout: 1 })]);
    await postgres.drop();
  });

  const gateOf = (deadlineMs = 2_000) =>
    new ConsentGate({
      sql,
      deadlineMs,
      onBatch: (questions) => batches.push(questions),
      onChange: (answering) => changes.push(answering),
    });
  const decide = async (id: string, granted: boolean): Promise<void> => {
    await owner`insert into ledger.consent_gate values (${id}, ${granted})
      on conflict (visitor_id) do update set granted = excluded.granted`;
  };

  it("answers each question by its own visitor, many in one query", async () => {
    const gate = gateOf();
    const granted = visitors.map((_, n) => n % 3 === 0);
    for (const [n, id] of visitors.entries())
      if (n % 2 === 0) await decide(id, granted[n] ?? false);
    batches.length = 0;
    const answers = await Promise.all(visitors.map((id) => gate.granted(id)));
    expect(answers).toEqual(visitors.map((_, n) => n % 3 === 0 && n % 2 === 0));
    expect(batches).toEqual([visitors.length]);
  });

  it("sees every decision that was acknowledged before, on two instances, under load", async () => {
    const [gate, other] = [gateOf(), gateOf()];
    let asking = true;
    const load = visitors.slice(1, 9).map(async (id) => {
      while (asking) await Promise.all([gate.granted(id), other.granted(id)]);
    });
    for (let n = 0; n < 200; n += 1) {
      const granted = n % 2 === 0;
      await decide(visitor, granted);
      expect(await Promise.all([gate.granted(visitor), other.granted(visitor)])).toEqual([
        granted,
        granted,
      ]);
    }
    asking = false;
    await Promise.all(load);
  });

  it("refuses when the database does not answer in time", async () => {
    const gate = gateOf(100);
    await decide(visitor, true);
    changes.length = 0;
    await owner.begin(async (tx) => {
      await tx`lock table ledger.consent_gate in access exclusive mode`;
      const refused = { code: "consent_unavailable", retryAfterSeconds: 1 };
      await expect(gate.granted(visitor)).rejects.toMatchObject(refused);
      await expect(gate.reachable()).rejects.toMatchObject(refused);
      // The read under way hangs: those that wait for it are refused at their own deadline.
      await expect(Promise.all(visitors.map((id) => gate.granted(id)))).rejects.toMatchObject(
        refused,
      );
    });
    expect(await gate.granted(visitor)).toBe(true);
    expect(await gate.reachable()).toBe(true);
    // One change each, for any number of refused questions.
    expect(changes).toEqual([false, true]);
  });

  it("refuses when the database is away, and answers again when it is back", async () => {
    const away = connectPostgres(postgres.ownerUrl.replace(/:\d+\//, ":1/"), {
      max: 2,
      applicationName: "test-away",
    });
    const gate = new ConsentGate({
      sql: away,
      onBatch: () => undefined,
      onChange: (answering) => changes.push(answering),
      deadlineMs: 300,
    });
    await expect(gate.granted(visitor)).rejects.toMatchObject({ code: "consent_unavailable" });
    await away.end({ timeout: 0 });

    const back = gateOf();
    expect(await back.granted(visitor)).toBe(true);
    await owner`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'test-gate'`;
    // A question that was on a connection when it broke may be refused, never answered wrongly.
    const answer = await until("the gate answers again", () =>
      back.granted(visitor).catch(() => undefined),
    );
    expect(answer).toBe(true);
  });
});
