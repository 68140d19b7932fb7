import { randomUUID } from "node:crypto";

import { type Mail, MailRefused } from "@pro-talent/platform/mail/mailer";
import { asRole } from "@pro-talent/platform/testing/engines";
import { runProgram } from "@pro-talent/platform/testing/run-program";
import { dayIn, dayPlus } from "@pro-talent/schemas/primitives/calendar";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";

import { runCommand } from "../../kernel/commands.ts";
import { idOf } from "../../kernel/events.ts";
import { catchUp, followerOf } from "../../kernel/follow.ts";
import type { WorkerContext } from "../../kernel/module.ts";
import { createTestLedger, testCause, type TestLedger } from "../../testing/create-test-ledger.ts";
import type { AccountCommand } from "../accounts/decider.ts";
import { accountEvents, accountStreams, closeAccount } from "../accounts/module.ts";
import { changesAnnounced, noticesOf } from "./changes.ts";
import { effectiveFor } from "./decider.ts";
import { holdersFrom } from "./holders.ts";
import { legalChangesModule } from "./module.ts";

const dayMs = 24 * 60 * 60_000;
const languages = new Map<string, Locale>();
const refusing = new Set<string>();
const mails: Mail[] = [];
let ledger: TestLedger;
let worker: WorkerContext;
let ms = Date.now();

const module = legalChangesModule({
  accountEvents,
  contactOf: async (accountId) => {
    const language = languages.get(accountId);
    return language === undefined
      ? undefined
      : {
          email: `${accountId}@example.com`,
          fullName: "דנה לוי",
          address: "",
          language,
          timeZone: "Asia/Jerusalem",
        };
  },
});

beforeAll(async () => {
  ledger = await createTestLedger();
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
beforeEach(async () => {
  for (const accountId of languages.keys()) await closeAccount(ledger, accountId, why());
  languages.clear();
  refusing.clear();
  mails.length = 0;
});

const why = () => ({ now: instantFromMs(ms), cause: testCause() });
const today = () => dayIn(instantFromMs(ms), "Asia/Jerusalem");

/** An account that was opened with this version of the terms. */
async function account(version = "2026-11-22", language: Locale = "he"): Promise<string> {
  const id = randomUUID();
  languages.set(id, language);
  const accepted = { document: "terms", language, version, textHash: "a".repeat(64) } as const;
  const command: AccountCommand = {
    type: "OpenAccount",
    documents: [accepted],
    invitationId: null,
    discountPercent: 0,
  };
  const request = { ...why(), id, command, body: {} };
  expect((await runCommand(ledger.ledger, accountStreams, request)).kind).toBe("answer");
  return id;
}

/** Passes the days, each with the work that its timers and the repeated job demand. */
async function pass(days: number): Promise<void> {
  const handlers = module.slowTimers(worker, {});
  for (let day = 0; day < days; day += 1) {
    ms += dayMs;
    await catchUp(followerOf(ledger.sql, holdersFrom(accountEvents)));
    for (const { run } of module.repeats(worker, {})) await run();
    const due = await ledger.owner<{ stream: string; name: string }[]>`
      select stream, name from ledger.due_timer
       where stream like 'changenotice-%' and due_at <= ${instantFromMs(ms)}::timestamptz`;
    for (const { stream, name } of due) await handlers[name]?.(idOf(stream), why());
  }
}

async function terms(...args: readonly string[]) {
  // The program has the clock of the machine: what it announces is far enough ahead for both clocks.
  const { code, output } = await runProgram(new URL("terms.cli.ts", import.meta.url), args, {
    DATABASE_OPERATOR_URL: asRole(ledger.ownerUrl, "ledger_operator"),
    ...ledger.testKeys.environment,
  });
  return [code, output.trim()];
}
let announcements = 0;
/** Announces another version of the terms for the day in so many days. */
async function announce(days: number): Promise<string> {
  announcements += 1;
  const version = dayPlus(today(), 400 + announcements);
  const effective = dayPlus(today(), days);
  const summary = ["--summary-en", "Refunds take 10 days.", "--summary-he", "החזר נמשך 10 ימים."];
  const which = ["--document", "terms", "--version", version, "--effective", effective];
  expect(await terms("announce", ...which, ...summary)).toEqual([
    0,
    "It is announced. The notices follow within minutes.",
  ]);
  const announced = await changesAnnounced(ledger.sql);
  return announced.find((change) => change.version === version)?.changeId ?? "";
}
const noticeOf = async (accountId: string, changeId: string) =>
  (await noticesOf(ledger.sql, accountId)).find((notice) => notice.changeId === changeId);
const effectiveOn = async (accountId: string, changeId: string) => {
  const notice = await noticeOf(accountId, changeId);
  return notice === undefined ? undefined : effectiveFor(notice);
};
const mailsTo = (accountId: string) =>
  mails.filter(({ to }) => to.address.startsWith(accountId)).length;

it("a change takes effect for each account on its day, or 30 days after its notice is delivered", async () => {
  const [prompt, unreachable] = [await account(), await account()];
  refusing.add(`${unreachable}@example.com`);
  const day = dayPlus(today(), 31);
  const changeId = await announce(31);
  await pass(5);
  const opened = await account();
  const current = await account("2099-01-01");
  await pass(10);
  expect(await effectiveOn(prompt, changeId)).toBe(day);
  expect(await effectiveOn(opened, changeId)).toBe(dayPlus(day, 5));
  expect(await effectiveOn(unreachable, changeId)).toBeNull();
  expect(await noticeOf(current, changeId)).toBeUndefined();
  expect([mailsTo(prompt), mailsTo(opened), mailsTo(current)]).toEqual([1, 1, 0]);
});

it("a notice that is refused is tried every week, however long, and seen by operators", async () => {
  const accountId = await account();
  await account();
  refusing.add(`${accountId}@example.com`);
  const changeId = await announce(31);
  await pass(200);
  expect(await noticeOf(accountId, changeId)).toMatchObject({ refused: true, failed: 29 });
  expect((await terms("status"))[1]).toMatch(/delivered 1, refused 1, outstanding 0$/u);
  refusing.clear();
  await pass(7);
  expect(await noticeOf(accountId, changeId)).toMatchObject({ refused: false, failed: 0 });
  const delivered = (await noticeOf(accountId, changeId))?.deliveredOn ?? today();
  expect(await effectiveOn(accountId, changeId)).toBe(dayPlus(delivered, 30));
  expect((await terms("status"))[1]).toMatch(/delivered 2, refused 0, outstanding 0$/u);
});

it("a notice that comes back is not delivered, and is mailed again after a week", async () => {
  const accountId = await account();
  const changeId = await announce(31);
  await pass(1);
  const [row] = await ledger.owner<{ id: string }[]>`
    select notice_id as id from ledger.change_notice
     where change_id = ${changeId} and account_id = ${accountId}`;
  const mailId = `changenotice-${row?.id}`;
  const report = (kind: "hard" | "complaint", id = mailId) =>
    module.mailReturns?.(ledger.ledger, { mailId: id, kind }, why());
  expect(await report("complaint")).toBe(false);
  expect(await report("hard", `changenotice-${randomUUID()}`)).toBe(false);
  expect(await effectiveOn(accountId, changeId)).not.toBeNull();
  expect(await report("hard")).toBe(true);
  expect(await noticeOf(accountId, changeId)).toMatchObject({ deliveredOn: null, refused: true });
  await pass(8);
  const sent = mails.filter(({ id }) => id === mailId);
  expect([sent.length, await effectiveOn(accountId, changeId)]).toEqual([2, dayPlus(today(), 29)]);
});

it("nothing is kept of a closed account, and nothing is mailed to one", async () => {
  const [delivered, refused] = [await account(), await account()];
  refusing.add(`${refused}@example.com`);
  await announce(31);
  await pass(1);
  for (const accountId of [delivered, refused]) {
    expect(await noticesOf(ledger.sql, accountId)).not.toEqual([]);
    await closeAccount(ledger, accountId, why());
  }
  refusing.clear();
  mails.length = 0;
  await pass(8);
  expect(await noticesOf(ledger.sql, delivered)).toEqual([]);
  expect(await noticesOf(ledger.sql, refused)).toEqual([]);
  expect(mails).toEqual([]);
});

it.each(["en", "he"] as const)(
  "the notice in %s says what changes and from when it applies to the reader",
  async (language) => {
    const accountId = await account("2026-11-22", language);
    const changeId = await announce(31);
    await pass(1);
    const notice = mails.find(({ to }) => to.address.startsWith(accountId));
    const day = (await effectiveOn(accountId, changeId)) ?? today();
    const format = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" });
    expect(notice?.subject).toBe(
      language === "en" ? "Our terms of service are changing" : "תנאי השימוש שלנו משתנים",
    );
    expect(notice?.text).toContain(
      language === "en" ? "Refunds take 10 days." : "החזר נמשך 10 ימים.",
    );
    expect(notice?.text).toContain(format.format(Date.parse(day)));
    expect(notice?.text).toContain("/terms");
    expect(notice?.html).toContain(`dir="${language === "he" ? "rtl" : "ltr"}"`);
  },
);

it("an announcement that is too early, not newer, or not complete is refused", async () => {
  const announcing = (version: string, effective: string) =>
    terms(
      "announce",
      "--document",
      "privacy",
      "--version",
      version,
      "--effective",
      effective,
      "--summary-en",
      "Shorter.",
      "--summary-he",
      "קצר יותר.",
    );
  const far = dayPlus(today(), 60);
  expect(await announcing(far, dayIn(instantFromMs(Date.now()), "UTC"))).toEqual([
    1,
    "It is refused: the effective day must be at least 30 days ahead.",
  ]);
  expect(await announcing("2026-11-23", far)).toEqual([
    1,
    "It is refused: the version must be later than the one in force.",
  ]);
  expect(await announcing(far, far)).toEqual([0, expect.stringMatching(/^It is announced/u)]);
  expect(await announcing(far, far)).toEqual([0, "It was announced before."]);
  expect(await announcing(far, dayPlus(far, 1))).toEqual([
    1,
    "It is refused: this version was announced with another day or summary.",
  ]);
  expect(await terms("announce", "--document", "terms")).toEqual([
    1,
    expect.stringMatching(/^Use: status/u),
  ]);
});
