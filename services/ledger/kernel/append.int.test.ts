import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { consentEvents } from "../domains/consent/read-models.ts";
import { consentAppend, consentEvent, newStream, sha256 } from "../testing/consent-append.ts";
import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { append, type AppendObservation } from "./append.ts";
import { UnknownEvent } from "./events.ts";
import { loadStream } from "./streams.ts";

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await createTestLedger({ max: 25 });
});
afterAll(() => ledger.drop());

async function headPosition(): Promise<number> {
  const [head] = await ledger.sql<{ pos: number }[]>`select pos from ledger.head`;
  return head?.pos ?? Number.NaN;
}

describe("an append", () => {
  it("is read back in its order, with gapless versions and positions", async () => {
    const events = [consentEvent(), consentEvent("ConsentWithdrawn"), consentEvent()];
    const request = consentAppend({ events });
    const before = await headPosition();
    await expect(append(ledger, request)).resolves.toEqual({
      status: "appended",
      firstPosition: before + 1,
      lastPosition: before + 3,
    });
    const loaded = await loadStream(ledger.sql, consentEvents, request.stream);
    expect(loaded.version).toBe(3);
    expect(loaded.events.map((recorded) => recorded.event)).toEqual(events);
    expect(loaded.events.map((recorded) => [recorded.version, recorded.position])).toEqual([
      [1, before + 1],
      [2, before + 2],
      [3, before + 3],
    ]);
  });

  it("writes its outbox messages and guarding rows with it, or none of them", async () => {
    const stream = newStream();
    const messages = [{ name: "notify-support", payload: { ref: randomUUID() } }];
    const result = await append(ledger, consentAppend({ stream, messages }));
    const outbox = await ledger.sql`select pos, name, payload, turn, done_at from ledger.outbox`;
    const position = result.status === "appended" ? result.lastPosition : undefined;
    expect(outbox).toEqual([{ pos: position, ...messages[0], turn: 0, done_at: null }]);
    await append(ledger, consentAppend({ stream, messages, expected: "absent" }));
    expect(await ledger.sql`select from ledger.outbox`).toHaveLength(1);
    const visitor = stream.slice("consent-".length);
    const rows = await ledger.sql`
      select granted, pos from ledger.consent_current where visitor_id = ${visitor}`;
    expect(rows).toEqual([{ granted: true, pos: position }]);
  });

  it("whose guarding rows cannot be written leaves nothing", async () => {
    const request = consentAppend({ stream: "consent-not-a-uuid" });
    const before = await headPosition();
    await expect(append(ledger, request)).rejects.toMatchObject({ code: "22P02" });
    expect(await headPosition()).toBe(before);
    expect(
      await ledger.sql`
      select from ledger.event where stream = ${request.stream}`,
    ).toHaveLength(0);
    expect(
      await ledger.sql`
      select from ledger.command where command_id = ${request.commandId}`,
    ).toHaveLength(0);
  });

  it("of an event that is not known or does not fit its contract is refused", async () => {
    const unknown = { ...consentAppend(), family: { ...consentEvents, upcasts: new Map() } };
    await expect(append(ledger, unknown)).rejects.toThrow(UnknownEvent);
    const wrong = consentEvent();
    const events = [{ ...wrong, data: { ...wrong.data, receiptId: "none" } }];
    await expect(append(ledger, consentAppend({ events }))).rejects.toThrow(z.ZodError);
  });

  it("without any event is refused", async () => {
    await expect(append(ledger, consentAppend({ events: [] }))).rejects.toThrow(
      "at least one event",
    );
  });

  it("is observed with its event types and outcome", async () => {
    const seen: AppendObservation[] = [];
    const store = { sql: ledger.sql, observe: (entry: AppendObservation) => seen.push(entry) };
    const request = consentAppend();
    await append(store, request);
    await append(store, request);
    await append(store, { ...request, bodyHash: sha256("other") });
    await append(store, { ...request, commandId: randomUUID() });
    expect(seen.map(({ types, outcome }) => [types, outcome])).toEqual(
      ["appended", "replayed", "mismatch", "conflict"].map((outcome) => [
        ["ConsentGranted"],
        outcome,
      ]),
    );
    expect(seen.every(({ seconds }) => seconds > 0 && seconds < 30)).toBe(true);
  });
});

describe("the expected version", () => {
  const existing = async (): Promise<string> => {
    const request = consentAppend();
    await append(ledger, request);
    return request.stream;
  };

  it.each([
    { stream: "new", expected: "absent" as const, status: "appended" },
    { stream: "new", expected: 0, status: "appended" },
    { stream: "new", expected: "any" as const, status: "appended" },
    { stream: "new", expected: "present" as const, status: "conflict" },
    { stream: "new", expected: 1, status: "conflict" },
    { stream: "existing", expected: "absent" as const, status: "conflict" },
    { stream: "existing", expected: 0, status: "conflict" },
    { stream: "existing", expected: 2, status: "conflict" },
    { stream: "existing", expected: 1, status: "appended" },
    { stream: "existing", expected: "present" as const, status: "appended" },
    { stream: "existing", expected: "any" as const, status: "appended" },
  ])("$expected on a(n) $stream stream: $status", async ({ stream, expected, status }) => {
    const name = stream === "new" ? newStream() : await existing();
    const result = await append(ledger, consentAppend({ stream: name, expected }));
    const found = stream === "new" ? 0 : 1;
    expect(result).toMatchObject(status === "conflict" ? { status, version: found } : { status });
  });
});

describe("a command that comes again", () => {
  it("is answered with the stored reply, byte for byte, and writes nothing", async () => {
    const reply = '{"ב":"שלום 👋","a":[1,2.50,"\\u0000"]}';
    const request = consentAppend({ reply });
    await append(ledger, request);
    const before = await headPosition();
    const again = { ...request, expected: "absent" as const, reply: "another" };
    await expect(append(ledger, again)).resolves.toEqual({ status: "replayed", reply });
    expect(await headPosition()).toBe(before);
  });

  it("with another body is a mismatch and writes nothing", async () => {
    const request = consentAppend();
    await append(ledger, request);
    const before = await headPosition();
    const other = { ...request, stream: newStream(), bodyHash: sha256("another body") };
    await expect(append(ledger, other)).resolves.toEqual({ status: "mismatch" });
    expect(await headPosition()).toBe(before);
  });

  it("many times at once is carried out once, and every caller gets the same reply", async () => {
    const request = consentAppend({ reply: '{"first":true}' });
    const before = await headPosition();
    const results = await Promise.all(Array.from({ length: 40 }, () => append(ledger, request)));
    expect(results.filter((result) => result.status === "appended")).toHaveLength(1);
    const replayed = results.filter((result) => result.status === "replayed");
    expect(replayed).toEqual(
      Array.from({ length: 39 }, () => ({ status: "replayed", reply: '{"first":true}' })),
    );
    expect(await headPosition()).toBe(before + 1);
  });
});

describe("fifty writers on one stream", () => {
  it("have exactly one winner for each version", async () => {
    const stream = newStream();
    const winners = new Map<number, number>();
    const versions = 8;
    for (let version = 0; version < versions; version += 1) {
      const results = await Promise.all(
        Array.from({ length: 50 }, () =>
          append(ledger, consentAppend({ stream, expected: version })),
        ),
      );
      const won = results.filter((result) => result.status === "appended").length;
      const lost = results.filter(
        (result) => result.status === "conflict" && result.version === version + 1,
      ).length;
      expect({ won, lost }).toEqual({ won: 1, lost: 49 });
      winners.set(version, won);
    }
    expect(winners.size).toBe(versions);
    const { events } = await loadStream(ledger.sql, consentEvents, stream);
    expect(events.map((recorded) => recorded.version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("who each retry until they win leave fifty versions and no gap", async () => {
    const stream = newStream();
    const before = await headPosition();
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        const commandId = randomUUID();
        for (let expected = 0; ;) {
          const result = await append(ledger, consentAppend({ stream, expected, commandId }));
          if (result.status !== "conflict") return;
          expected = result.version;
        }
      }),
    );
    const { events } = await loadStream(ledger.sql, consentEvents, stream);
    expect(events.map((recorded) => recorded.version)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    expect(await headPosition()).toBe(before + 50);
  });
});
