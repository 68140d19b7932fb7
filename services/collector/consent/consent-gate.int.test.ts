import { connectPostgres, type Sql } from "@pro-talent/platform/postgres/connect";
import { createTestPostgres, type TestPostgres } from "@pro-talent/platform/testing/engines";
import { until } from "@pro-talent/platform/testing/until";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { connectGateDatabase, ConsentGate, type GateOptions } from "./consent-gate.ts";

const visitors = Array.from(
  { length: 40 },
  (_, n) => `0b7c4e38-91a5-8b1e-a7a4-${String(n).padStart(12, "0")}`,
);
const [visitor = ""] = visitors;

describe("the consent gate", () => {
  let postgres: TestPostgres;
  let owner: Sql;
  const opened: Sql[] = [];
  const batches: number[] = [];
  const changes: boolean[] = [];

  beforeAll(async () => {
    postgres = await createTestPostgres();
    owner = connectPostgres(postgres.ownerUrl, { max: 4, applicationName: "test-owner" });
    // The shape of the ledger's views; the views themselves are used where the ledger runs.
    await owner`create schema ledger`;
    await owner`create table ledger.consent_gate
      (visitor_id uuid primary key, granted boolean, pos bigint)`;
    await owner`create table ledger.consent_position (epoch int, built bigint, pos bigint)`;
    await owner`insert into ledger.consent_position values (1, 1, 0)`;
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((sql) => sql.end({ timeout: 1 })));
  });
  afterAll(async () => {
    await owner.end({ timeout: 1 });
    await postgres.drop();
  });

  const gateOf = (options: Partial<GateOptions> = {}, url = postgres.ownerUrl): ConsentGate => {
    const database = connectGateDatabase(url);
    opened.push(database.sql);
    return new ConsentGate({
      database,
      onBatch: (questions) => batches.push(questions),
      onChange: (answering) => changes.push(answering),
      ...options,
    });
  };
  /** As an append does: position and gate in one transaction. */
  const decide = async (ids: readonly string[], granted: boolean): Promise<void> => {
    await owner.begin(async (tx) => {
      const [head] = await tx<{ pos: number }[]>`
        update ledger.consent_position set pos = pos + ${ids.length} returning pos`;
      await tx`insert into ledger.consent_gate
        select id, ${granted}, ${head?.pos ?? 0} - n + 1
          from unnest(${[...ids]}::uuid[]) with ordinality as one (id, n)
        on conflict (visitor_id) do update set granted = excluded.granted, pos = excluded.pos`;
    });
  };
  const cutConnections = () => owner`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'collector-gate' and datname = current_database()`;

  it("answers each question by its own visitor, many in one query", async () => {
    const gate = gateOf();
    const granted = visitors.map((_, n) => n % 3 === 0);
    for (const [n, id] of visitors.entries())
      if (n % 2 === 0) await decide([id], granted[n] ?? false);
    batches.length = 0;
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const answers = await Promise.all(visitors.map((id) => gate.granted(id)));
      expect(answers).toEqual(visitors.map((_, n) => n % 3 === 0 && n % 2 === 0));
    }
    expect(batches).toEqual([visitors.length, visitors.length]);
  });

  it("sees every decision that was acknowledged before, on two instances, under load", async () => {
    const [gate, other] = [gateOf(), gateOf()];
    let asking = true;
    const load = visitors.slice(1, 9).map(async (id) => {
      while (asking) await Promise.all([gate.granted(id), other.granted(id)]);
    });
    for (let n = 0; n < 200; n += 1) {
      const granted = n % 2 === 0;
      await decide([visitor], granted);
      expect(await Promise.all([gate.granted(visitor), other.granted(visitor)])).toEqual([
        granted,
        granted,
      ]);
    }
    asking = false;
    await Promise.all(load);
  });

  /** Any order of decisions and questions, and whatever ends what a gate may remember. */
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant("ask" as const), who: fc.nat(3) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("decide" as const),
        who: fc.nat(3),
        granted: fc.boolean(),
        /** Asked while the decision is being stored: both answers are right. */
        meanwhile: fc.boolean(),
      }),
    },
    fc.record({ do: fc.constantFrom("cut", "restore", "rebuild", "many" as const) }),
  );

  it("never answers what was so before the question, whatever is interleaved", async () => {
    const crowd = Array.from({ length: 1200 }, (_, n) => `${visitor.slice(0, -6)}${n + 100_000}`);
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 25 }),
        fc.constantFrom(0, 2, 1000),
        async (steps, rememberedMax) => {
          await owner`truncate ledger.consent_gate`;
          const truth = new Map<string, boolean>();
          const gates = [gateOf({ rememberedMax }), gateOf({ rememberedMax })];
          const ask = async (id: string, right: readonly boolean[]): Promise<void> => {
            for (const gate of gates) {
              // A question that was on a connection when it broke may be refused.
              const answer = await gate.granted(id).catch(() => right[0]);
              expect(right).toContain(answer);
            }
          };
          for (const one of steps) {
            const id = "who" in one ? (visitors[one.who] ?? "") : "";
            const before = truth.get(id) ?? false;
            if (one.do === "ask") await ask(id, [before]);
            if (one.do === "decide") {
              const deciding = decide([id], one.granted);
              if (one.meanwhile) await ask(id, [before, one.granted]);
              await deciding;
              truth.set(id, one.granted);
            }
            if (one.do === "cut") await cutConnections();
            // More decisions of others than are caught up with.
            if (one.do === "many") await decide(crowd, true);
            // A backup without the last decisions, whose positions are used again.
            if (one.do === "restore") {
              await owner`truncate ledger.consent_gate`;
              await owner`update ledger.consent_position set epoch = epoch + 1, pos = pos - 1`;
              truth.clear();
            }
            // What was damaged is repaired without an event.
            if (one.do === "rebuild") {
              await owner.begin(async (tx) => {
                await tx`update ledger.consent_gate set granted = not granted`;
                await tx`update ledger.consent_position set built = built + 1`;
              });
              for (const [known, granted] of truth) truth.set(known, !granted);
            }
          }
          for (const id of visitors.slice(0, 4)) await ask(id, [truth.get(id) ?? false]);
          await Promise.all(opened.splice(0).map((sql) => sql.end({ timeout: 1 })));
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);

  it("refuses when the database does not answer in time", async () => {
    const gate = gateOf({ deadlineMs: 100 });
    await decide([visitor], true);
    expect(await gate.granted(visitor)).toBe(true);
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
    const away = gateOf({ deadlineMs: 300 }, postgres.ownerUrl.replace(/:\d+\//, ":1/"));
    await expect(away.granted(visitor)).rejects.toMatchObject({ code: "consent_unavailable" });

    const back = gateOf();
    await decide([visitor], true);
    expect(await back.granted(visitor)).toBe(true);
    await cutConnections();
    // A question that was on a connection when it broke may be refused, never answered wrongly.
    const answer = await until("the gate answers again", () =>
      back.granted(visitor).catch(() => undefined),
    );
    expect(answer).toBe(true);
  });
});
