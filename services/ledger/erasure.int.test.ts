import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { tablesWithIds } from "@pro-talent/schemas/primitives/data-map";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ledgerDataMaps } from "./data-map.ts";
import { accountEvents, closeAccount } from "./domains/accounts/module.ts";
import { billing, billingEraser, paymentProviderEraser } from "./domains/billing/module.ts";
import { contactEraser } from "./domains/contact/contact-messages.ts";
import { invoicesEraser } from "./domains/invoices/held-invoices.ts";
import { webhooksEraser } from "./domains/link-webhooks/webhooks.ts";
import { linksEraser, openMailsEraser } from "./domains/links/erase-links.ts";
import { linkOwner, shareLinks } from "./domains/links/links.ts";
import { newsletterEraser } from "./domains/newsletter/subscribers.ts";
import { agedHandler, completeAged, openHorizon } from "./domains/privacy/erase/backups.ts";
import {
  claimHandler,
  eraseHandler,
  type ErasureParts,
  type ErasureStep,
  stepsFor,
  stepsOf,
} from "./domains/privacy/erase/erase-person.ts";
import { openJournal } from "./domains/privacy/erase/journal.ts";
import { requestsToScan, rescanHandler, rescanRestored } from "./domains/privacy/erase/scan.ts";
import { requestKeysEraser } from "./domains/privacy/erase/stores.ts";
import { privacyRequests } from "./domains/privacy/requests.ts";
import { searchLedger } from "./domains/privacy/search/search-ledger.ts";
import * as facts from "./domains/privacy/testing/facts.ts";
import { type CommandResult, runCommand } from "./kernel/commands.ts";
import type { Eraser } from "./kernel/erasers.ts";
import type { WorkerContext } from "./kernel/module.ts";
import { followerOfProcess, registerProcesses } from "./kernel/processes.ts";
import { loadState } from "./kernel/streams.ts";
import { noMail } from "./kernel/testing/ledger-workers.ts";
import { createTestLedger, testCause, type TestLedger } from "./testing/create-test-ledger.ts";
import { openPerson as openPersonIn, type Person } from "./testing/open-person.ts";

let ledger: TestLedger;
let directory: string;
beforeAll(async () => {
  ledger = await createTestLedger();
  directory = await mkdtemp(join(tmpdir(), "erasures-"));
});
afterAll(async () => {
  await ledger.drop();
  await rm(directory, { recursive: true });
});

const now = instantFromMs(Date.now());
const why = () => ({ now, cause: testCause() });
const done = async (result: Promise<CommandResult<string>>) =>
  expect(await result).toMatchObject({ kind: "answer" });
const openPerson = () => openPersonIn(ledger, now);

/** Ends a worker's work as its process would: the border is passed, and nothing after it happens. */
type Killed = { readonly at: string; readonly when: "before" | "after" };

/** The parts of a worker of an account whose own service is played by a set of accounts. */
function worker(accounts: Set<string>, killed?: Killed): ErasureParts {
  const stopping = new AbortController();
  const context: WorkerContext = { ...ledger, mailer: noMail, stopping: stopping.signal };
  const at = async <Done>(border: string, work: () => Promise<Done>): Promise<Done> => {
    const die = (): never => {
      stopping.abort();
      throw new Error("killed");
    };
    if (killed?.at === border && killed.when === "before") die();
    const result = await work();
    if (killed?.at === border) die();
    return result;
  };
  const journal = openJournal({
    ERASURE_JOURNAL_FILE: join(directory, "journal.jsonl"),
    ERASURE_JOURNAL_KEY: Buffer.alloc(32, 7),
  });
  if (journal === undefined) throw new Error("No journal");
  const account: Eraser = {
    step: "accounts",
    erase: async (_context, { accountId }) => ({
      found: accounts.delete(accountId) ? 1 : 0,
      left: 0,
    }),
  };
  const erasers: readonly Eraser[] = [
    billingEraser,
    invoicesEraser,
    paymentProviderEraser,
    linksEraser,
    webhooksEraser,
    openMailsEraser,
    newsletterEraser,
    contactEraser,
    account,
    requestKeysEraser,
  ];
  return {
    context,
    search: async (traces) => {
      const [found] = await searchLedger(ledger.sql, tablesWithIds(ledgerDataMaps), [traces]);
      return found === undefined ? [] : [{ store: "ledger", ...found }];
    },
    searchWaitMs: 0,
    journal: { ...journal, append: (entry) => at("journal", () => journal.append(entry)) },
    scopeOf: (_id, accountId) => {
      if (accountId === null) throw new Error("No account");
      const email = () => (accounts.has(accountId) ? `${accountId}@example.com` : null);
      const steps = stepsFor(context, erasers, async () => ({ accountId, email: email() }));
      return {
        accountId,
        email: async () => email(),
        traces: async () => ({ values: [`Name of ${accountId}`], ids: [accountId] }),
        steps: steps.map((step) => ({
          ...step,
          erase: (cause) => at(step.step, () => step.erase(cause)),
        })),
        close: (cause) =>
          at("suppression", async () => {
            await closeAccount(context, accountId, cause);
            await followClosing();
          }),
      };
    },
  };
}

/** What the worker's processes do on their own. */
async function followClosing(): Promise<void> {
  const closing = billing.processes.filter(({ name }) => name === "billing.close-account");
  await registerProcesses(ledger.owner, closing);
  for (const process of closing) {
    const follower = followerOfProcess(process, {
      ledger: ledger.ledger,
      families: [accountEvents, ...billing.events],
    });
    while ((await follower.step()) === "behind");
  }
}

/** A deletion whose holder gave up the days that were left; its timer is due. */
async function dueDeletion({ accountId }: Person): Promise<string> {
  const id = randomUUID();
  const received = { ...facts.receives("delete"), accountId };
  for (const command of [received, facts.records(facts.waived)])
    await done(
      runCommand(ledger.ledger, privacyRequests, { ...why(), id, command, body: command }),
    );
  return id;
}

const statusOf = async (id: string) =>
  (await loadState(ledger.sql, privacyRequests, id)).state.status;
const keysOf = async ({ sealed }: Person): Promise<number> =>
  (await ledger.sql`select from ledger.subject where subject_id = any (${[...sealed]}::uuid[])`)
    .length;
const sealedEvents = async ({ sealed }: Person) =>
  await ledger.owner<{ row: string }[]>`
    select e::text as row from ledger.event e where key_id = any (${[...sealed]}::uuid[])
       and sealed is not null order by pos`;

describe("the erasure of an account", () => {
  it("leaves nothing of the person, and every byte of another one", async () => {
    const [person, other] = [await openPerson(), await openPerson()];
    expect(person.sealed).toHaveLength(4);
    const before = await sealedEvents(other);
    const id = await dueDeletion(person);
    const parts = worker(new Set([person.accountId, other.accountId]));
    await claimHandler(parts)(id, why());
    await eraseHandler(parts)(id, why());
    expect(await statusOf(id)).toBe("erased");
    expect(await keysOf(person)).toBe(0);
    expect(await sealedEvents(person)).toEqual([]);
    expect(await keysOf(other)).toBe(4);
    expect(await sealedEvents(other)).toEqual(before);
    const entries = (await parts.journal?.read()) ?? [];
    const entry = entries.find(({ requestId }) => requestId === id);
    expect(entry?.accountId).toBe(person.accountId);
    expect(entry?.subjectIds).toEqual(expect.arrayContaining([...person.sealed]));
  });

  const borders = [
    "journal",
    "suppression",
    "billing",
    "invoices",
    "payment-provider",
    "links",
    "webhooks",
    "open-mails",
    "newsletter",
    "contact",
    "accounts",
    "subject-key",
  ].flatMap((at) => (["before", "after"] as const).map((when) => ({ at, when })));
  it.each(borders)("goes on where it was killed: $when $at", async (killed) => {
    const person = await openPerson();
    const id = await dueDeletion(person);
    const accounts = new Set([person.accountId]);
    await claimHandler(worker(accounts))(id, why());
    await expect(eraseHandler(worker(accounts, killed))(id, why())).rejects.toThrow("killed");
    expect(["claimed", "erasing"]).toContain(await statusOf(id));
    const parts = worker(accounts);
    await eraseHandler(parts)(id, why());
    expect(await statusOf(id)).toBe("erased");
    expect([await keysOf(person), accounts.size]).toEqual([0, 0]);
    const entries = (await parts.journal?.read()) ?? [];
    expect(entries.filter(({ requestId }) => requestId === id)).toHaveLength(1);
    const steps = await ledger.owner<{ step: string }[]>`
      select data::jsonb ->> 'step' as step from ledger.event
       where stream = ${`privacy-${id}`} and type = 'StepDone' order by pos`;
    expect(steps.map(({ step }) => step)).toEqual(stepsOf(parts.scopeOf(id, person.accountId)));
  });

  it("does not begin before its time, under a hold, or after a cancellation", async () => {
    const { accountId } = await openPerson();
    const parts = worker(new Set([accountId]));
    const later = instantFromMs(Date.parse(now) + 60 * 24 * 60 * 60_000);
    for (const [stops, at] of [
      [[], now],
      [[facts.holdPlaced(later)], instantFromMs(Date.parse(now) + 31 * 24 * 60 * 60_000)],
      [[facts.cancelled], instantFromMs(Date.parse(now) + 31 * 24 * 60 * 60_000)],
    ] as const) {
      const id = randomUUID();
      const commands = [{ ...facts.receives("delete"), accountId }, ...stops.map(facts.records)];
      for (const command of commands)
        await done(
          runCommand(ledger.ledger, privacyRequests, { ...why(), id, command, body: command }),
        );
      await expect(claimHandler(parts)(id, { ...why(), now: at })).rejects.toThrow("is refused");
      await eraseHandler(parts)(id, { ...why(), now: at });
      expect(["scheduled", "completed"]).toContain(await statusOf(id));
    }
  });

  it("of a store that does not answer is tried again later, and begins nothing without a journal", async () => {
    const person = await openPerson();
    const id = await dueDeletion(person);
    const accounts = new Set([person.accountId]);
    const parts = worker(accounts);
    await claimHandler(parts)(id, why());
    await eraseHandler({ ...parts, journal: undefined })(id, why());
    expect(await keysOf(person)).toBe(4);
    const [timer] = await ledger.sql<{ minutes: number }[]>`
      select round(extract(epoch from due_at - ${now}::timestamptz) / 60)::int as minutes
        from ledger.due_timer where stream = ${`privacy-${id}`} and fired_at is null`;
    expect(timer).toEqual({ minutes: 1 });
    await eraseHandler(parts)(id, why());
    expect(await statusOf(id)).toBe("erased");
  });

  it("is complete once no backup that opens is older, and no copy of a key that opened one is left", async () => {
    const person = await openPerson();
    const id = await dueDeletion(person);
    const parts = worker(new Set([person.accountId]));
    await claimHandler(parts)(id, why());
    await eraseHandler(parts)(id, why());
    const day = (days: number) => instantFromMs(Date.parse(now) + days * 24 * 60 * 60_000);
    const horizon = openHorizon({
      ERASURE_JOURNAL_FILE: join(directory, "journal.jsonl"),
      ERASURE_JOURNAL_KEY: Buffer.alloc(32, 7),
    });
    const at = (days: number): WorkerContext => ({
      ...parts.context,
      clock: () => Date.parse(day(days)),
    });
    const looks = (days: number) => completeAged(at(days), horizon)();
    await looks(40);
    await horizon?.append({ oldestRestorableAt: day(-1), checkedAt: day(10) });
    await looks(40);
    expect(await statusOf(id)).toBe("erased");
    await horizon?.append({ oldestRestorableAt: day(2), checkedAt: day(33) });
    await looks(46);
    expect(await statusOf(id)).toBe("erased");
    await expect(agedHandler(at(46), horizon)(id, { ...why(), now: day(46) })).rejects.toThrow(
      "No record says",
    );
    await looks(48);
    expect(await statusOf(id)).toBe("completed");
    await agedHandler(at(90), horizon)(id, { ...why(), now: day(90) });
  });
});

const eventsOf = async (id: string) =>
  await ledger.owner<{ type: string; data: string }[]>`
    select type, data from ledger.event where stream = ${`privacy-${id}`} order by pos`;
const work = async (parts: ErasureParts, id: string, context = why()) => {
  await eraseHandler(parts)(id, context);
  return await statusOf(id);
};

describe("the search that ends an erasure", () => {
  it("records what it searched, and nothing of the person", async () => {
    const person = await openPerson();
    const id = await dueDeletion(person);
    const parts = worker(new Set([person.accountId]));
    await claimHandler(parts)(id, why());
    expect(await work(parts, id)).toBe("erased");
    const events = await eventsOf(id);
    const search = events.map(({ data }) => data).find((data) => data.includes('"step":"search"'));
    expect(JSON.parse(search ?? "")).toMatchObject({
      step: "search",
      found: 0,
      left: 0,
      searchedFor: { values: 3 },
      stores: [{ store: "ledger", decoy: true, hits: 0 }],
    });
    expect(JSON.stringify(events.slice(1))).not.toContain(person.accountId);
    const sealed = await ledger.owner`
      select from ledger.event where stream = ${`search-${id}`} and sealed is not null`;
    expect(sealed).toHaveLength(0);
  });

  it("finds what came back after its step, and erases every store anew", async () => {
    const [person, other] = [await openPerson(), await openPerson()];
    const before = await sealedEvents(other);
    const id = await dueDeletion(person);
    const accounts = new Set([person.accountId]);
    const parts = worker(accounts);
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
    await claimHandler(parts)(id, why());
    expect(await work({ ...parts, scopeOf }, id)).toBe("erased");
    const types = (await eventsOf(id)).map(({ type }) => type);
    expect(types.filter((type) => type === "ScanHit")).toHaveLength(1);
    expect(types.at(-1)).toBe("ScanClean");
    expect(
      await ledger.sql`
      select from ledger.link where account_id = ${person.accountId}`,
    ).toHaveLength(0);
    expect(await sealedEvents(other)).toEqual(before);
  });

  it("leaves what no eraser reaches to an officer, and never takes it for clean", async () => {
    const person = await openPerson();
    const id = await dueDeletion(person);
    const parts = worker(new Set([person.accountId]));
    await claimHandler(parts)(id, why());
    await ledger.owner`
      insert into ledger.outbox (pos, name, payload, done_at)
      values (1, 'behind.the-back', ${JSON.stringify({ to: person.email })}::text::jsonb, now())`;
    for (const [attempt, expected] of [
      "erasing",
      "erasing",
      "erasing",
      "erasing",
      "stalled",
    ].entries())
      expect([attempt, await work(parts, id)]).toEqual([attempt, expected]);
    expect(await keysOf(person)).toBe(0);
    await ledger.owner`delete from ledger.outbox where name = 'behind.the-back'`;
    await done(
      runCommand(ledger.ledger, privacyRequests, {
        ...why(),
        id,
        command: facts.records(facts.retried),
        body: {},
      }),
    );
    expect(await work(parts, id)).toBe("erased");
  });

  it("of a store that cannot be searched is unknown, and is tried again", async () => {
    const person = await openPerson();
    const id = await dueDeletion(person);
    const parts = worker(new Set([person.accountId]));
    await claimHandler(parts)(id, why());
    const away = { store: "clickhouse", decoy: false, hits: 0, kept: 0, searched: 0 } as const;
    const search: ErasureParts["search"] = async (traces) => [
      ...(await parts.search(traces)),
      away,
    ];
    expect(await work({ ...parts, search }, id)).toBe("erasing");
    const last = (await eventsOf(id)).at(-1);
    expect(last?.type).toBe("StepFailed");
    expect(JSON.parse(last?.data ?? "")).toMatchObject({ step: "search", code: "unknown" });
    expect(await work(parts, id)).toBe("erased");
  });

  it("is repeated a day and a week later by ids, and after a restore", async () => {
    const person = await openPerson();
    const id = await dueDeletion(person);
    const parts = worker(new Set([person.accountId]));
    await claimHandler(parts)(id, why());
    expect(await work(parts, id)).toBe("erased");
    const hoursTo = async () => {
      const [timer] = await ledger.sql<{ hours: number }[]>`
        select round(extract(epoch from due_at - ${now}::timestamptz) / 3600)::int as hours
          from ledger.due_timer where stream = ${`privacy-${id}`} and name = 'privacy.rescan'
           and fired_at is null`;
      return timer?.hours;
    };
    const after = (hours: number) => ({
      ...why(),
      now: instantFromMs(Date.parse(now) + hours * 60 * 60_000 + 60_000),
    });
    expect(await hoursTo()).toBe(24);
    await rescanHandler(parts)(id, after(24));
    expect(await hoursTo()).toBe(7 * 24);
    await rescanHandler(parts)(id, after(7 * 24));
    expect(await hoursTo()).toBeUndefined();
    const away: ErasureParts = { ...parts, search: async () => [] };
    await expect(rescanHandler(away)(id, after(8 * 24))).rejects.toThrow("could not be searched");
    expect(await requestsToScan(ledger.sql)).not.toContain(id);
    await ledger.owner`update ledger.head set epoch = epoch + 1`;
    expect(await requestsToScan(ledger.sql)).toContain(id);
    await addLink(person);
    await rescanRestored(parts)();
    expect(await statusOf(id)).toBe("erasing");
    expect(await work(parts, id)).toBe("erased");
    expect(await requestsToScan(ledger.sql)).not.toContain(id);
  });
});

/** A link that comes into being when the links of its owner are erased already. */
async function addLink({ accountId, email }: Person): Promise<void> {
  const id = randomUUID();
  const description = { target: "external", fileId: null, locked: false, expiresAt: null } as const;
  const subject = await ledger.subjects.ofOccasion(linkOwner, id, email);
  const words = { code: "late", label: "", note: "", url: "https://example.com/", file: null };
  await done(
    runCommand(ledger.ledger, shareLinks, {
      ...why(),
      id,
      command: { type: "CreateLink", accountId, custom: false, description },
      body: {},
      sealed: { ...subject.seal({ ...words, passwordHash: null }), type: "LinkDescribed" },
    }),
  );
}
