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

/** Ends up to two of the victims' connections. @returns how many it ended */
async function cutConnections(): Promise<number> {
  const ended = await ledger.owner`
    select pg_terminate_backend(pid) from (
      select pid from pg_stat_activity
       where application_name = ${application} and datname = current_database()
       order by random() limit 2) chosen`;
  await ledger.owner`select pg_sleep(${randomInt(1, 25) / 1000}::float8)`;
  return ended.length;
}

describe("connections that are cut at random while events are appended", () => {
  it("leave no half append and no gap, and nothing that was acknowledged is lost", async () => {
    let acknowledged = 0;
    const outcomes = new Set<string>();
    let failures = 0;
    // A fast machine writes on until enough was cut; a busy one finishes some work between two cuts.
    const atLeast = 180;
    let cut = 0;
    const isOver = () => acknowledged >= atLeast && cut > 10 && failures > 5;
    const cutting = (async () => {
      for (let before = 0; !isOver();) {
        if (acknowledged === before) await ledger.owner`select pg_sleep(0.001)`;
        else {
          before = acknowledged;
          cut += await cutConnections();
        }
      }
    })();
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        while (!isOver()) {
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
    await cutting;
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
      events: 3 * acknowledged,
      last_position: 3 * acknowledged,
      head: 3 * acknowledged,
      commands: acknowledged,
      whole_streams: acknowledged,
      gates: acknowledged,
      messages: acknowledged,
    });
    expect((await verifyLedger(ledger.owner)).findings).toEqual([]);
  });
});
