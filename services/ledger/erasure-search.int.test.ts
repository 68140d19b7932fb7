import { randomUUID } from "node:crypto";

import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { linkOwner, shareLinks } from "./domains/links/links.ts";
import {
  claimHandler,
  type ErasureParts,
  type ErasureStep,
} from "./domains/privacy/erase/erase-person.ts";
import { requestsToScan, rescanHandler, rescanRestored } from "./domains/privacy/erase/scan.ts";
import { privacyRequests } from "./domains/privacy/requests.ts";
import * as facts from "./domains/privacy/testing/facts.ts";
import { runCommand } from "./kernel/commands.ts";
import { openErasures } from "./testing/open-erasures.ts";
import type { Person } from "./testing/open-person.ts";

let erasures: Awaited<ReturnType<typeof openErasures>>;
beforeAll(async () => {
  erasures = await openErasures();
});
afterAll(() => erasures.close());

describe("the search that ends an erasure", () => {
  it("records what it searched, and nothing of the person", async () => {
    const person = await erasures.openPerson();
    const id = await erasures.dueDeletion(person);
    const parts = erasures.worker(new Set([person.accountId]));
    await claimHandler(parts)(id, erasures.why());
    expect(await erasures.work(parts, id)).toBe("erased");
    const events = await erasures.eventsOf(id);
    const search = events.map(({ data }) => data).find((data) => data.includes('"step":"search"'));
    expect(JSON.parse(search ?? "")).toMatchObject({
      step: "search",
      found: 0,
      left: 0,
      searchedFor: { values: 3 },
      stores: [{ store: "ledger", decoy: true, hits: 0 }],
    });
    expect(JSON.stringify(events.slice(1))).not.toContain(person.accountId);
    const sealed = await erasures.ledger.owner`
      select from ledger.event where stream = ${`search-${id}`} and sealed is not null`;
    expect(sealed).toHaveLength(0);
  });

  it("finds what came back after its step, and erases every store anew", async () => {
    const [person, other] = [await erasures.openPerson(), await erasures.openPerson()];
    const before = await erasures.sealedEvents(other);
    const id = await erasures.dueDeletion(person);
    const accounts = new Set([person.accountId]);
    const parts = erasures.worker(accounts);
    let isBack = false;
    const bringingBack = (step: ErasureStep): ErasureStep => ({
      ...step,
      erase: async (cause) => {
        const erased = await step.erase(cause);
        if (step.step === "accounts" && !isBack) await addLink(person);
        isBack ||= step.step === "accounts";
        return erased;
      },
    });
    const scopeOf: ErasureParts["scopeOf"] = (request, accountId) => {
      const scope = parts.scopeOf(request, accountId);
      return { ...scope, steps: scope.steps.map(bringingBack) };
    };
    await claimHandler(parts)(id, erasures.why());
    expect(await erasures.work({ ...parts, scopeOf }, id)).toBe("erased");
    const types = (await erasures.eventsOf(id)).map(({ type }) => type);
    expect(types.filter((type) => type === "ScanHit")).toHaveLength(1);
    expect(types.at(-1)).toBe("ScanClean");
    expect(
      await erasures.ledger.sql`
      select from ledger.link where account_id = ${person.accountId}`,
    ).toHaveLength(0);
    expect(await erasures.sealedEvents(other)).toEqual(before);
  });

  it("leaves what no eraser reaches to an officer, and never takes it for clean", async () => {
    const person = await erasures.openPerson();
    const id = await erasures.dueDeletion(person);
    const parts = erasures.worker(new Set([person.accountId]));
    await claimHandler(parts)(id, erasures.why());
    await erasures.ledger.owner`
      insert into ledger.outbox (pos, name, payload, done_at)
      values (1, 'behind.the-back', ${JSON.stringify({ to: person.email })}::text::jsonb, now())`;
    for (const [attempt, expected] of [
      "erasing",
      "erasing",
      "erasing",
      "erasing",
      "stalled",
    ].entries())
      expect([attempt, await erasures.work(parts, id)]).toEqual([attempt, expected]);
    expect(await erasures.keysOf(person)).toBe(0);
    await erasures.ledger.owner`delete from ledger.outbox where name = 'behind.the-back'`;
    await erasures.done(
      runCommand(erasures.ledger.ledger, privacyRequests, {
        ...erasures.why(),
        id,
        command: facts.records(facts.retried),
        body: {},
      }),
    );
    expect(await erasures.work(parts, id)).toBe("erased");
  });

  it("of a store that cannot be searched is unknown, and is tried again", async () => {
    const person = await erasures.openPerson();
    const id = await erasures.dueDeletion(person);
    const parts = erasures.worker(new Set([person.accountId]));
    await claimHandler(parts)(id, erasures.why());
    const away = { store: "clickhouse", decoy: false, hits: 0, kept: 0, searched: 0 } as const;
    const search: ErasureParts["search"] = async (traces) => [
      ...(await parts.search(traces)),
      away,
    ];
    expect(await erasures.work({ ...parts, search }, id)).toBe("erasing");
    const last = (await erasures.eventsOf(id)).at(-1);
    expect(last?.type).toBe("StepFailed");
    expect(JSON.parse(last?.data ?? "")).toMatchObject({ step: "search", code: "unknown" });
    expect(await erasures.work(parts, id)).toBe("erased");
  });

  it("is repeated a day and a week later by ids, and after a restore", async () => {
    const person = await erasures.openPerson();
    const id = await erasures.dueDeletion(person);
    const parts = erasures.worker(new Set([person.accountId]));
    await claimHandler(parts)(id, erasures.why());
    expect(await erasures.work(parts, id)).toBe("erased");
    const hoursTo = async () => {
      const [timer] = await erasures.ledger.sql<{ hours: number }[]>`
        select round(extract(epoch from due_at - ${erasures.now}::timestamptz) / 3600)::int as hours
          from ledger.due_timer where stream = ${`privacy-${id}`} and name = 'privacy.rescan'
           and fired_at is null`;
      return timer?.hours;
    };
    const after = (hours: number) => ({
      ...erasures.why(),
      now: instantFromMs(Date.parse(erasures.now) + hours * 60 * 60_000 + 60_000),
    });
    expect(await hoursTo()).toBe(24);
    await rescanHandler(parts)(id, after(24));
    expect(await hoursTo()).toBe(7 * 24);
    await rescanHandler(parts)(id, after(7 * 24));
    expect(await hoursTo()).toBeUndefined();
    const away: ErasureParts = { ...parts, search: async () => [] };
    await expect(rescanHandler(away)(id, after(8 * 24))).rejects.toThrow("could not be searched");
    expect(await requestsToScan(erasures.ledger.sql)).not.toContain(id);
    await erasures.ledger.owner`update ledger.head set epoch = epoch + 1`;
    expect(await requestsToScan(erasures.ledger.sql)).toContain(id);
    await addLink(person);
    await rescanRestored(parts)();
    expect(await erasures.statusOf(id)).toBe("erasing");
    expect(await erasures.work(parts, id)).toBe("erased");
    expect(await requestsToScan(erasures.ledger.sql)).not.toContain(id);
  });
});

/** A link that comes into being when the links of its owner are erased already. */
async function addLink({ accountId, email }: Person): Promise<void> {
  const id = randomUUID();
  const description = { target: "external", fileId: null, locked: false, expiresAt: null } as const;
  const subject = await erasures.ledger.subjects.ofOccasion(linkOwner, id, email);
  const words = { code: "late", label: "", note: "", url: "https://example.com/", file: null };
  await erasures.done(
    runCommand(erasures.ledger.ledger, shareLinks, {
      ...erasures.why(),
      id,
      command: { type: "CreateLink", accountId, custom: false, description },
      body: {},
      sealed: { ...subject.seal({ ...words, passwordHash: null }), type: "LinkDescribed" },
    }),
  );
}
