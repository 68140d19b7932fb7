import { randomUUID } from "node:crypto";

import { asRole } from "@pro-talent/platform/testing/engines";
import { runHere, runProgram } from "@pro-talent/platform/testing/run-program";
import { dayPlus } from "@pro-talent/schemas/primitives/calendar";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";

import { type LegalChangesService, openLegalChanges } from "../../testing/open-legal-changes.ts";
import { noticesOf } from "./changes.ts";
import { announceChange } from "./notify.ts";

let legal: LegalChangesService;
beforeAll(async () => {
  legal = await openLegalChanges(Date.now());
});
afterAll(() => legal.ledger.drop());
beforeEach(async () => {
  for (const accountId of legal.people.keys()) await legal.close(accountId);
  legal.refusing.clear();
  legal.mails.length = 0;
});

async function terms(...args: readonly string[]) {
  // Those that announce are processes of their own.
  const run = args.includes("announce") ? runProgram : runHere;
  const { code, output } = await run(new URL("terms.cli.ts", import.meta.url), args, {
    DATABASE_OPERATOR_URL: asRole(legal.ledger.ownerUrl, "ledger_operator"),
    ...legal.ledger.testKeys.environment,
  });
  return [code, output.trim()];
}
const mailsTo = (accountId: string) =>
  legal.mails.filter(({ to }) => to.address.startsWith(accountId)).length;

it("a change takes effect for each account on its day, or 30 days after its notice is delivered", async () => {
  const [prompt, unreachable] = [await legal.account(), await legal.account()];
  legal.refusing.add(`${unreachable}@example.com`);
  const { changeId, day } = await legal.announce(31);
  await legal.pass(5);
  const opened = await legal.account();
  const current = await legal.account("2099-01-01");
  await legal.pass(10);
  expect(await legal.effectiveOn(prompt, changeId)).toBe(day);
  expect(await legal.effectiveOn(opened, changeId)).toBe(dayPlus(day, 5));
  expect(await legal.effectiveOn(unreachable, changeId)).toBeNull();
  expect(await legal.noticeOf(current, changeId)).toBeUndefined();
  expect([mailsTo(prompt), mailsTo(opened), mailsTo(current)]).toEqual([1, 1, 0]);
});

it("a notice that is refused is tried every week, however long, and seen by operators", async () => {
  const accountId = await legal.account();
  await legal.account();
  legal.refusing.add(`${accountId}@example.com`);
  const { changeId } = await legal.announce(31);
  await legal.pass(200);
  expect(await legal.noticeOf(accountId, changeId)).toMatchObject({ refused: true, failed: 29 });
  expect((await terms("status"))[1]).toMatch(/accounts: delivered 1, refused 1, outstanding 0$/u);
  legal.refusing.clear();
  await legal.pass(7);
  const notice = await legal.noticeOf(accountId, changeId);
  expect(notice).toMatchObject({ refused: false, failed: 0 });
  const delivered = notice?.deliveredOn ?? legal.today();
  expect(await legal.effectiveOn(accountId, changeId)).toBe(dayPlus(delivered, 30));
  expect((await terms("status"))[1]).toMatch(/accounts: delivered 2, refused 0, outstanding 0$/u);
});

it("a notice that comes back is not delivered, and is mailed again after a week", async () => {
  const accountId = await legal.account();
  const { changeId } = await legal.announce(31);
  await legal.pass(1);
  const [row] = await legal.ledger.owner<{ id: string }[]>`
    select notice_id as id from ledger.change_notice
     where change_id = ${changeId} and recipient_id = ${accountId}`;
  const mailId = `changenotice-${row?.id}`;
  const report = (kind: "hard" | "complaint", id = mailId) =>
    legal.module.mailReturns?.(legal.ledger.ledger, { mailId: id, kind }, legal.why());
  expect(await report("complaint")).toBe(false);
  expect(await report("hard", `changenotice-${randomUUID()}`)).toBe(false);
  expect(await legal.effectiveOn(accountId, changeId)).not.toBeNull();
  expect(await report("hard")).toBe(true);
  expect(await legal.noticeOf(accountId, changeId)).toMatchObject({
    deliveredOn: null,
    refused: true,
  });
  await legal.pass(8);
  const sent = legal.mails.filter(({ id }) => id === mailId);
  expect(sent.length).toBe(2);
  expect(await legal.effectiveOn(accountId, changeId)).toBe(dayPlus(legal.today(), 29));
});

it("nothing is kept of a closed account, and nothing is mailed to one", async () => {
  const [delivered, refused] = [await legal.account(), await legal.account()];
  legal.refusing.add(`${refused}@example.com`);
  await legal.announce(31);
  await legal.pass(1);
  for (const accountId of [delivered, refused]) {
    expect(await noticesOf(legal.ledger.sql, accountId)).not.toEqual([]);
    await legal.close(accountId);
  }
  legal.refusing.clear();
  legal.mails.length = 0;
  await legal.pass(8);
  expect(await noticesOf(legal.ledger.sql, delivered)).toEqual([]);
  expect(await noticesOf(legal.ledger.sql, refused)).toEqual([]);
  expect(legal.mails).toEqual([]);
});

it.each(["en", "he"] as const)(
  "the notice in %s says what changes and from when it applies to the reader",
  async (language) => {
    const accountId = await legal.account("2026-11-22", language);
    const { changeId, day: version } = await legal.announce(31);
    await legal.pass(1);
    const notice = legal.mails.find(({ text }) => text.includes(version));
    const day = (await legal.effectiveOn(accountId, changeId)) ?? legal.today();
    const format = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" });
    expect(notice?.subject).toBe(
      language === "en" ? "Our terms of service are changing" : "תנאי השימוש שלנו משתנים",
    );
    expect(notice?.text).toContain(
      language === "en" ? "Refunds take 10 days." : "החזר נמשך 10 ימים.",
    );
    expect(notice?.text).toContain(format.format(Date.parse(day)));
    expect(notice?.text).toContain(`/terms/versions/${version}`);
    expect(notice?.html).toContain(`dir="${language === "he" ? "rtl" : "ltr"}"`);
  },
);

it("only the coming version of a release is announced: 30 days ahead, once, and never otherwise", async () => {
  const summary = { en: "Shorter.", he: "קצר יותר." };
  const announcing = (privacy: string | null, said = summary) =>
    announceChange(legal.ledger.ledger, { document: "privacy", summary: said }, legal.why(), {
      terms: null,
      privacy,
    });
  expect(await announcing(null)).toEqual({ refused: "no-coming-version" });
  expect(await announcing("2026-11-23")).toEqual({ refused: "not-newer" });
  expect(await announcing(dayPlus(legal.today(), 29))).toEqual({ refused: "too-early" });
  const day = dayPlus(legal.today(), 30);
  expect(await announcing(day)).toBe("announced");
  expect(await announcing(day)).toBe("known");
  const other = { ...summary, en: "Longer." };
  expect(await announcing(day, other)).toEqual({ refused: "announced-otherwise" });
});

it("the command says why it announces nothing", async () => {
  const summaries = ["--summary-en", "Shorter.", "--summary-he", "קצר יותר."];
  expect(await terms("announce", "--document", "privacy", ...summaries)).toEqual([
    1,
    "It is refused: this release states no coming version of the document (comingVersions).",
  ]);
  expect(await terms("announce", "--document", "terms")).toEqual([
    1,
    expect.stringMatching(/^Use: status/u),
  ]);
});
