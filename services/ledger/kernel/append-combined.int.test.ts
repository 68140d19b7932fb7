import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";

import { consentAppend, consentEvent, newStream, sha256 } from "../testing/consent-append.ts";
import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { verifyLedger } from "../verifier/verify.ts";
import { append, type AppendRequest, type AppendResult } from "./append.ts";

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await createTestLedger();
  await append(ledger, consentAppend());
});
afterAll(() => ledger.drop());

type Request = AppendRequest<ReturnType<typeof consentEvent>>;

/** Appends while the head is taken, so that all but the first wait together. */
async function appendTogether(
  requests: readonly Request[],
): Promise<PromiseSettledResult<AppendResult>[]> {
  let answers: Promise<PromiseSettledResult<AppendResult>[]> | undefined;
  await ledger.owner.begin(async (tx) => {
    await tx`select from ledger.head for update`;
    answers = Promise.allSettled(
      [consentAppend(), ...requests].map((request) => append(ledger, request)),
    );
    await vi.waitFor(
      async () => {
        const waiting = await tx`
          select from pg_stat_activity where wait_event_type = 'Lock'
             and application_name = 'test-ledger' and datname = current_database()`;
        expect(waiting).toHaveLength(1);
      },
      { timeout: 4_000, interval: 10 },
    );
  });
  return (await answers)?.slice(1) ?? [];
}

/** How many transactions wrote these streams. */
async function transactionsOf(requests: readonly Request[]): Promise<number> {
  const streams = requests.map(({ stream }) => stream);
  const rows = await ledger.owner`
    select distinct xmin::text as xmin from ledger.event where stream = any (${streams}::text[])`;
  return rows.length;
}

const Failure = z.object({ code: z.string() });

const outcomes = (answers: readonly PromiseSettledResult<AppendResult>[]): string[] =>
  answers.map((answer) =>
    answer.status === "fulfilled" ? answer.value.status : Failure.parse(answer.reason).code,
  );

const Step = fc.record({
  stream: fc.constantFrom(0, 1, 2),
  expected: fc.constantFrom("absent" as const, "present" as const, "any" as const, 0, 1, 2),
  events: fc.integer({ min: 1, max: 3 }),
  repeats: fc.boolean(),
});
type Step = typeof Step extends fc.Arbitrary<infer Value> ? Value : never;

/** Appends to three new streams. */
function requestsOf(steps: readonly Step[]): Request[] {
  const streams = [newStream(), newStream(), newStream()] as const;
  return steps.flatMap(({ stream, expected, events, repeats }) => {
    const request = consentAppend({
      stream: streams[stream],
      expected,
      events: Array.from({ length: events }, () => consentEvent()),
    });
    return repeats ? [request, request] : [request];
  });
}

const start = { epoch: 1, position: 0 };

describe("appends that wait at the same time", () => {
  it("share one transaction, in their order", async () => {
    const requests = Array.from({ length: 40 }, () => consentAppend());
    const answers = await appendTogether(requests);
    const positions = answers.map((answer) =>
      answer.status === "fulfilled" && answer.value.status === "appended"
        ? answer.value.firstPosition
        : Number.NaN,
    );
    const [first = Number.NaN] = positions;
    expect(positions).toEqual(requests.map((_, index) => first + index));
    expect(await transactionsOf(requests)).toBe(1);
  });

  it("are answered each for itself: a refused one costs the others nothing", async () => {
    const before = consentAppend({ reply: '{"known":true}' });
    await append(ledger, before);
    const stream = newStream();
    const twice = consentAppend();
    const answers = await appendTogether([
      before,
      { ...before, bodyHash: sha256("other") },
      consentAppend({ stream: before.stream, expected: "absent" }),
      consentAppend({ stream: before.stream, expected: 7 }),
      consentAppend({ expected: "present" }),
      consentAppend({ stream }),
      consentAppend({ stream }),
      consentAppend({ stream, expected: 1 }),
      twice,
      twice,
      consentAppend({ process: { name: "none", from: start, to: start } }),
      consentAppend(),
    ]);
    expect(outcomes(answers)).toEqual([
      "replayed",
      "mismatch",
      "conflict",
      "conflict",
      "conflict",
      "appended",
      "conflict",
      "appended",
      "appended",
      "replayed",
      "superseded",
      "appended",
    ]);
    expect(answers[0]).toMatchObject({ value: { reply: '{"known":true}' } });
  });

  it("of which one cannot be written are all answered: it with its error, the others as usual", async () => {
    const requests = [
      consentAppend(),
      consentAppend({ stream: "consent-not-a-uuid" }),
      consentAppend(),
    ];
    expect(outcomes(await appendTogether(requests))).toEqual(["appended", "22P02", "appended"]);
  });

  it("leave the same ledger as one after another", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(Step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const together = outcomes(await appendTogether(requestsOf(steps)));
        const singly: PromiseSettledResult<AppendResult>[] = [];
        for (const request of requestsOf(steps))
          singly.push(...(await Promise.allSettled([append(ledger, request)])));
        expect(together).toEqual(outcomes(singly));
      }),
      { numRuns: 25 },
    );
    expect((await verifyLedger(ledger.owner)).findings).toEqual([]);
  });
});
