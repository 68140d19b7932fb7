import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { decideConsent } from "../domains/consent/decide-consent.ts";
import { consentEvents } from "../domains/consent/read-models.ts";
import { decision, englishNotice, newVisitor } from "../domains/consent/testing/decisions.ts";
import { consentAppend } from "../testing/consent-append.ts";
import { createTestLedger, testCause, type TestLedger } from "../testing/create-test-ledger.ts";
import { rawAppend } from "../testing/raw-append.ts";
import { append } from "./append.ts";

let ledger: TestLedger;
const context = {
  now: instantFromMs(Date.UTC(2026, 0, 5)),
  cause: testCause("service:collector"),
};

beforeAll(async () => {
  ledger = await createTestLedger({ max: 20 });
});
afterAll(() => ledger.drop());

/** How many rows each table of the ledger holds. */
async function census(): Promise<Record<string, number>> {
  const tables = await ledger.owner<{ name: string }[]>`
    select relname as name from pg_class
     where relnamespace = 'ledger'::regnamespace and relkind = 'r' order by 1`;
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await ledger.owner<{ rows: number }[]>`
      select count(*) as rows from ${ledger.owner(`ledger.${name}`)}`;
    counts[name] = row?.rows ?? Number.NaN;
  }
  return counts;
}

describe("a decision", () => {
  it("that leads to a fact is recorded, and repeated with the same bytes after others", async () => {
    const visitorId = newVisitor();
    const accept = decision({ visitorId });
    const first = await decideConsent(ledger.ledger, accept, context);
    expect(first).toMatchObject({ kind: "answer", how: "recorded" });
    const reject = decision({ visitorId, decision: "refuse", method: "reject_all" });
    await decideConsent(ledger.ledger, reject, context);
    const again = await decideConsent(ledger.ledger, accept, context);
    expect(again).toEqual({ ...first, how: "replayed" });
    expect(await decideConsent(ledger.ledger, reject, context)).toMatchObject({ how: "replayed" });
  });

  it("under an id that was used for another one is refused, before and after the stream moved", async () => {
    const accept = decision();
    await decideConsent(ledger.ledger, accept, context);
    const others = [
      { ...accept, method: "customise" as const },
      { ...accept, visitorId: newVisitor() },
      { ...accept, notice: { ...englishNotice, version: "2" } },
    ];
    for (const other of others) {
      expect(await decideConsent(ledger.ledger, other, context)).toEqual({
        kind: "refusal",
        code: "command_mismatch",
      });
    }
  });

  it("to refuse, by an unknown visitor, leaves no row in any table", async () => {
    const before = await census();
    const refuse = decision({ decision: "refuse", method: "gpc" });
    const outcome = await decideConsent(ledger.ledger, refuse, context);
    expect(outcome).toEqual({
      kind: "answer",
      how: "unchanged",
      reply: '{"receiptId":null,"recorded":false,"state":"none"}',
    });
    expect(await census()).toEqual(before);
    expect(Object.keys(before).length).toBeGreaterThan(9);
  });

  it("that repeats what is known names the receipt of the valid fact", async () => {
    const visitorId = newVisitor();
    await decideConsent(ledger.ledger, decision({ visitorId }), context);
    const before = await census();
    const outcome = await decideConsent(ledger.ledger, decision({ visitorId }), context);
    expect(outcome).toMatchObject({ how: "unchanged" });
    const [row] = await ledger.sql<{ data: string }[]>`
      select data from ledger.event where stream = ${consentEvents.streamOf(visitorId)}`;
    const receiptId = /"receiptId":"([^"]+)"/.exec(row?.data ?? "")?.[1];
    expect(receiptId).toMatch(/^[0-9a-f-]{36}$/);
    expect(outcome).toMatchObject({ reply: expect.stringContaining(receiptId ?? "none") });
    expect(await census()).toEqual(before);
  });

  it("by fifty tabs at once with fifty texts: each is recorded, one after the other", async () => {
    const visitorId = newVisitor();
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, tab) =>
        decideConsent(
          ledger.ledger,
          decision({ visitorId, notice: { ...englishNotice, version: `v${tab}` } }),
          context,
        ),
      ),
    );
    const recorded = outcomes.filter(
      (outcome) => outcome.kind === "answer" && outcome.how === "recorded",
    );
    const beaten = outcomes.filter(
      (outcome) => outcome.kind === "refusal" && outcome.code === "version_conflict",
    );
    expect(recorded.length + beaten.length).toBe(50);
    const versions = await ledger.sql<{ version: number }[]>`
      select version from ledger.event where stream = ${consentEvents.streamOf(visitorId)} order by version`;
    expect(versions.map((row) => row.version)).toEqual(
      Array.from({ length: recorded.length }, (_, index) => index + 1),
    );
    expect(recorded.length).toBeGreaterThan(0);
  });

  it("that another writer keeps overtaking is given up after a bounded number of attempts", async () => {
    const visitorId = newVisitor();
    const stream = consentEvents.streamOf(visitorId);
    let overtaken = 0;
    // Between reading and appending, another writer is always faster.
    const sql = new Proxy(ledger.sql, {
      apply: (target, self, args: [TemplateStringsArray, ...unknown[]]) => {
        const query: unknown = Reflect.apply(target, self, args);
        if (!args[0].join("").includes("ledger.append")) return query;
        overtaken += 1;
        return append(ledger, consentAppend({ stream, expected: "any" })).then(() => query);
      },
    });
    const outcome = await decideConsent(
      { ...ledger.ledger, sql },
      decision({ visitorId }),
      context,
    );
    expect(outcome).toEqual({ kind: "refusal", code: "version_conflict" });
    expect(overtaken).toBe(10);
  });

  it("is not made on a stream that holds an unknown event", async () => {
    const visitorId = newVisitor();
    const stream = consentEvents.streamOf(visitorId);
    await rawAppend(ledger.owner, { stream, type: "ConsentForgotten" });
    await expect(decideConsent(ledger.ledger, decision({ visitorId }), context)).rejects.toThrow(
      "is not known here",
    );
  });
});
