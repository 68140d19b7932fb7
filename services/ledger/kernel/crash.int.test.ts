import { randomInt } from "node:crypto";

import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { PostgresUnavailable } from "@pro-talent/platform/postgres/unavailable";
import { asRole } from "@pro-talent/platform/testing/engines";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { consentAppend, consentEvent } from "../testing/consent-append.ts";
import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { verifyLedger } from "../verifier/verify.ts";
import { append } from "./append.ts";

let ledger: TestLedger;
let victims: Sql;
const application = "test-victim";

beforeAll(async () => {
  ledger = await createTestLedger();
  victims = openPool(asRole(ledger.ownerUrl, "ledger_app"), {
    max: 6,
    applicationName: application,
  });
});
afterAll(async () => {
  await victims.end();
  await ledger.drop();
});

/**
 * Ends the victims' connections at random moments until the work is done, each time after some of it
 * was done: a busy machine would otherwise never finish any. @returns how many it ended
 */
async function cutConnections(done: () => number, all: number): Promise<number> {
  let cut = 0;
  for (let before = 0; done() < all;) {
    if (done() > before) {
      before = done();
      const ended = await ledger.owner`
        select pg_terminate_backend(pid) from (
          select pid from pg_stat_activity
           where application_name = ${application} and datname = current_database()
           order by random() limit 2) chosen`;
      cut += ended.length;
    }
    await ledger.owner`select pg_sleep(${randomInt(1, 25) / 1000}::float8)`;
  }
  return cut;
}

describe("connections that are cut at random while events are appended", () => {
  it("leave no half append and no gap, and nothing that was acknowledged is lost", async () => {
    const writers = 6;
    const roundsEach = 30;
    const all = writers * roundsEach;
    let acknowledged = 0;
    const outcomes = new Set<string>();
    let failures = 0;
    const cutting = cutConnections(() => acknowledged, all);
    await Promise.all(
      Array.from({ length: writers }, async () => {
        for (let round = 0; round < roundsEach; round += 1) {
          const events = [consentEvent(), consentEvent("ConsentWithdrawn"), consentEvent()];
          const messages = [{ name: "follow-up", payload: { ref: "opaque" } }];
          const request = consentAppend({ events, messages, expected: 0 });
          // A writer without an answer repeats the same command, as the collector does.
          for (let answered = false; !answered;) {
            try {
              const result = await append({ sql: victims }, request);
              outcomes.add(result.status);
              acknowledged += 1;
              answered = true;
            } catch (error) {
              if (!(error instanceof PostgresUnavailable)) throw error;
              failures += 1;
            }
          }
        }
      }),
    );
    const cut = await cutting;
    expect(cut).toBeGreaterThan(10);
    expect(failures).toBeGreaterThan(5);
    expect(acknowledged).toBe(all);
    expect(
      [...outcomes].filter((status) => status !== "appended" && status !== "replayed"),
    ).toEqual([]);

    const [counts] = await ledger.owner`
      select (select count(*)::int from ledger.event) as events,
             (select max(pos)::int from ledger.event) as last_position,
             (select pos::int from ledger.head) as head,
             (select count(*)::int from ledger.command) as commands,
             (select count(*)::int from ledger.stream where version = 3) as whole_streams,
             (select count(*)::int from ledger.consent_current) as gates,
             (select count(*)::int from ledger.outbox) as messages`;
    expect(counts).toEqual({
      events: 3 * all,
      last_position: 3 * all,
      head: 3 * all,
      commands: all,
      whole_streams: all,
      gates: all,
      messages: all,
    });
    expect((await verifyLedger(ledger.owner)).findings).toEqual([]);
  });
});
