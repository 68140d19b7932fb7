import { randomUUID } from "node:crypto";

import { type Mail, MailRefused } from "@pro-talent/platform/mail/mailer";
import { Day, dayIn } from "@pro-talent/schemas/primitives/calendar";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { InactivityExemption } from "@pro-talent/schemas/privacy/inactivity";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";

import { idOf } from "../../kernel/events.ts";
import type { WorkerContext } from "../../kernel/module.ts";
import { followerOfProcess, registerProcesses } from "../../kernel/processes.ts";
import { createTestLedger, testCause, type TestLedger } from "../../testing/create-test-ledger.ts";
import { cancelInactive, receiveInactive } from "../privacy/follow-up.ts";
import { requestsOf } from "../privacy/read-models.ts";
import { privacyEvents } from "../privacy/requests.ts";
import { inactiveRows, inactivityEvents } from "./inactivity.ts";
import { inactivityModule } from "./module.ts";

const dayMs = 24 * 60 * 60_000;
const used = new Map<string, Day>();
const exempt = new Map<string, InactivityExemption>();
const languages = new Map<string, Locale>();
const refusing = new Set<string>();
const mails: Mail[] = [];
let ledger: TestLedger;
let worker: WorkerContext;
let ms = 0;

const module = inactivityModule({
  exemptions: [async (_context, accountId) => exempt.get(accountId) ?? null],
  uses: {
    unusedBefore: async function* (before) {
      for (const [accountId, activeOn] of used)
        if (activeOn < before) yield { accountId, activeOn };
    },
    lastUse: async (accountId) => used.get(accountId),
  },
  contactOf: async (accountId) =>
    used.has(accountId)
      ? {
          email: `${accountId}@example.com`,
          fullName: "דנה לוי",
          address: "",
          language: languages.get(accountId) ?? "he",
          timeZone: "Asia/Jerusalem",
        }
      : undefined,
});

beforeAll(async () => {
  ledger = await createTestLedger();
  await registerProcesses(ledger.owner, [receiveInactive, cancelInactive]);
  worker = {
    ...ledger,
    clock: () => ms,
    stopping: new AbortController().signal,
    mailer: {
      send: async (mail: Mail) => {
        if (refusing.has(mail.to.address)) throw new MailRefused("no such mailbox");
        mails.push(mail);
      },
      reachable: async () => true,
      close: async () => undefined,
    },
  };
});
afterAll(() => ledger.drop());
beforeEach(() => {
  used.clear();
  exempt.clear();
  refusing.clear();
  mails.length = 0;
  ms = Date.UTC(2026, 0, 1, 12);
});

/** An account that was last used three years before the 10th of February. */
function account(activeOn = "2023-02-09", language: Locale = "he"): string {
  const accountId = randomUUID();
  used.set(accountId, Day.parse(activeOn));
  languages.set(accountId, language);
  return accountId;
}

/** Passes the days, each with the work that its timers and the watch demand. */
async function pass(days: number): Promise<void> {
  const handlers = module.slowTimers(worker, {});
  for (let day = 0; day < days; day += 1) {
    ms += dayMs;
    for (const { run } of module.repeats(worker, {})) await run();
    const now = instantFromMs(ms);
    const due = await ledger.owner<{ stream: string; name: string }[]>`
      select stream, name from ledger.due_timer
       where stream like 'inactivity-%' and due_at <= ${now}::timestamptz order by due_at`;
    for (const { stream, name } of due)
      await handlers[name]?.(idOf(stream), { now, cause: testCause() });
    for (const process of [receiveInactive, cancelInactive]) {
      const families = [inactivityEvents, privacyEvents];
      const follower = followerOfProcess(process, { ledger: ledger.ledger, families });
      while ((await follower.step()) === "behind");
    }
  }
}
const rowOf = async (accountId: string) =>
  (await inactiveRows(ledger.sql)).find((row) => row.accountId === accountId);
const requests = (accountId: string) => requestsOf(ledger.sql, accountId);
const today = () => dayIn(instantFromMs(ms), "UTC");
const kindsTo = (accountId: string) =>
  mails.filter(({ to }) => to.address.startsWith(accountId)).map(({ id }) => id.split("-")[1]);

it("an unused account gets two notices, and then a deletion like any other: 30 days, held by officers alone", async () => {
  const accountId = account();
  await pass(10);
  expect([kindsTo(accountId), (await rowOf(accountId))?.stage]).toEqual([["first"], "first-sent"]);
  await pass(23);
  expect(kindsTo(accountId)).toEqual(["first", "second"]);
  await pass(5);
  expect([today(), await requests(accountId)]).toEqual(["2026-02-08", []]);
  await pass(3);
  const [request] = await requests(accountId);
  expect(request).toMatchObject({ type: "delete", status: "scheduled", identity: "inactivity" });
  expect(request?.eraseAt?.slice(0, 10)).toBe("2026-03-12");
  expect(await rowOf(accountId)).toMatchObject({
    stage: "requested",
    requestId: request?.requestId,
  });
  await pass(3);
  expect(kindsTo(accountId)).toEqual(["first", "second"]);
});

it("signing in ends it at any time, and cancels a deletion that was asked for", async () => {
  const [before, within] = [account(), account()];
  await pass(20);
  used.set(before, today());
  await pass(25);
  expect([kindsTo(before), await requests(before), await rowOf(before)]).toEqual([
    ["first"],
    [],
    undefined,
  ]);
  expect(await requests(within)).toMatchObject([{ outcome: null }]);
  used.set(within, today());
  await pass(1);
  expect(await requests(within)).toMatchObject([{ status: "completed", outcome: "cancelled" }]);
  expect(await rowOf(within)).toBeUndefined();
});

it("nothing is deleted while the mailbox refuses the notices", async () => {
  const accountId = account();
  refusing.add(`${accountId}@example.com`);
  await pass(120);
  expect([await requests(accountId), (await rowOf(accountId))?.stage]).toEqual([
    [],
    "undeliverable",
  ]);
  refusing.clear();
  await pass(8);
  expect((await rowOf(accountId))?.stage).toBe("first-sent");
  await pass(21);
  expect(await requests(accountId)).toEqual([]);
  await pass(10);
  expect(await requests(accountId)).toHaveLength(1);
});

it("a notice that comes back in the grace period takes the deletion back", async () => {
  const accountId = account();
  await pass(45);
  expect(await requests(accountId)).toMatchObject([{ outcome: null }]);
  const mailId = mails.find(({ to }) => to.address.startsWith(accountId))?.id ?? "";
  const why = { now: instantFromMs(ms), cause: testCause() };
  const returned = { mailId, kind: "hard" } as const;
  expect(await module.mailReturns?.(ledger.ledger, returned, why)).toBe(true);
  await pass(1);
  expect(await requests(accountId)).toMatchObject([{ outcome: "cancelled" }]);
  expect((await rowOf(accountId))?.stage).toBe("undeliverable");
});

it("an account that pays is not inactive, and one with an open payment or request is not deleted", async () => {
  const [paying, owing] = [account(), account()];
  exempt.set(paying, "subscription");
  exempt.set(owing, "payment-open");
  await pass(60);
  expect([await rowOf(paying), kindsTo(paying)]).toEqual([undefined, []]);
  expect(await rowOf(owing)).toMatchObject({ stage: "exempt", exemption: "payment-open" });
  exempt.clear();
  await pass(31);
  expect(await requests(owing)).toHaveLength(1);
});

it("an account that is gone is forgotten", async () => {
  const accountId = account();
  await pass(20);
  used.delete(accountId);
  await pass(25);
  expect([await rowOf(accountId), await requests(accountId)]).toEqual([undefined, []]);
});

it.each(["en", "he"] as const)(
  "the notice in %s says when, and that signing in is enough",
  async (language) => {
    const accountId = account("2023-02-09", language);
    await pass(10);
    const mail = mails.find(({ to }) => to.address.startsWith(accountId));
    const dates =
      language === "en"
        ? ["February 9, 2023", "February 10, 2026", "March 12, 2026"]
        : ["9 בפברואר 2023", "10 בפברואר 2026", "12 במרץ 2026"];
    for (const date of dates) expect(mail?.text).toContain(date);
    expect(mail?.html).toContain(`dir="${language === "he" ? "rtl" : "ltr"}"`);
    expect(mail?.text).toContain("/login");
  },
);
