import { randomUUID } from "node:crypto";

import { applicationPartCalls } from "@pro-talent/schemas/applications/part-calls";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { reconcileAll } from "../../../kernel/reconcile.ts";
import { testCause } from "../../../testing/create-test-ledger.ts";
import { restrict } from "../../privacy/testing/restrict.ts";
import { openReminded, openReminders, type Reminded } from "../testing/reminded.ts";
import type { TrackerService } from "../testing/tracker-service.ts";
import { reminderReturns } from "./send.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const Planned = applicationPartCalls["POST /api/applications/:applicationId/reminders"].answer;

let reminded: Reminded;
let service: TrackerService;
beforeAll(async () => {
  reminded = await openReminded();
  ({ service } = reminded);
});
afterEach(() => reminded.settle());
afterAll(() => reminded.close());

describe("a reminder", () => {
  it.each([
    ["en", "Reminder: Acme, Designer"],
    ["he", "תזכורת: Acme, Designer"],
  ] as const)(
    "in %s is mailed once, at its local time, without what was noted",
    async (language, subject) => {
      const applicant = await reminded.newApplicant(language);
      const { dueAt, status } = await applicant.plan(hourMs);
      expect(status).toBe("planned");
      await reminded.sweepAndDeliver();
      expect(applicant.mails()).toHaveLength(0);
      await service.setAhead(hourMs + minuteMs);
      await reminded.sweepAndDeliver();
      await reminded.sweepAndDeliver();
      const [mail, ...more] = applicant.mails();
      expect(more).toHaveLength(0);
      expect(mail?.subject).toBe(subject);
      expect(mail?.text).toContain(
        `https://talent.example/applications/${applicant.applicationId}`,
      );
      expect(JSON.stringify(mail)).not.toContain("דנה");
      expect(await openReminders(applicant)).toMatchObject([
        { dueAt, status: "due", text: "להתקשר לדנה" },
      ]);
      const { history, application } = await applicant.whole();
      expect(history[0]).toMatchObject({ kind: "reminded" });
      expect(application.remindAt).toBe(dueAt);
    },
  );

  it("that is put off is mailed again, and one that is done is not", async () => {
    const applicant = await reminded.newApplicant();
    const [first, second] = [await applicant.plan(hourMs), await applicant.plan(hourMs)];
    await applicant.change(second.reminderId, { done: true });
    await service.setAhead(hourMs + minuteMs);
    await reminded.sweepAndDeliver();
    expect(applicant.mails()).toHaveLength(1);
    await applicant.change(first.reminderId, { at: applicant.timeIn(hourMs) });
    await service.setAhead(2 * hourMs + 2 * minuteMs);
    await reminded.sweepAndDeliver();
    expect(applicant.mails()).toHaveLength(2);
    expect(new Set(applicant.mails().map(({ messageId }) => messageId)).size).toBe(2);
    expect((await openReminders(applicant)).map(({ reminderId }) => reminderId)).toEqual([
      first.reminderId,
    ]);
    const answer = await applicant.change(first.reminderId, { at: "2020-01-01T09:00" });
    expect(answer.json()).toMatchObject({ code: "reminder_past" });
    const unknown = await applicant.change(first.reminderId, { zone: "Asia/Nowhere" });
    expect(unknown.json()).toMatchObject({ code: "zone_unknown" });
  });

  it("whose zone changes is due at the same time of the other zone", async () => {
    const applicant = await reminded.newApplicant();
    const { reminderId, at } = await applicant.plan(2 * hourMs);
    const answer = await applicant.change(reminderId, { zone: "America/New_York" });
    const { reminder } = Planned.parse(answer.json());
    expect(reminder).toMatchObject({ at, zone: "America/New_York", text: "להתקשר לדנה" });
    await service.setAhead(3 * hourMs);
    await reminded.sweepAndDeliver();
    expect(applicant.mails()).toHaveLength(0);
    await service.setAhead(Date.parse(reminder.dueAt) - Date.now() + minuteMs);
    await reminded.sweepAndDeliver();
    expect(applicant.mails()).toHaveLength(1);
  });

  it("that is found too early waits, and one whose timer is late is put right, when rules of its zone change", async () => {
    const [early, late] = [await reminded.newApplicant(), await reminded.newApplicant()];
    await early.plan(2 * hourMs);
    await late.plan(hourMs);
    // As under the rules that were known when they were planned.
    const stream = (applicationId: string) => `application-${applicationId}`;
    await service.ledger.owner`
      update ledger.due_timer set due_at = due_at - interval '1 hour' where stream = ${stream(early.applicationId)}`;
    await service.ledger.owner`
      update ledger.due_timer set due_at = due_at + interval '1 hour' where stream = ${stream(late.applicationId)}`;
    await service.setAhead(hourMs + minuteMs);
    await reminded.sweepAndDeliver();
    expect([early.mails(), late.mails()]).toEqual([[], []]);
    await reconcileAll({ sql: service.ledger.sql, kinds: service.module.streams });
    await reminded.sweepAndDeliver();
    expect(late.mails()).toHaveLength(1);
    expect(early.mails()).toHaveLength(0);
    await service.setAhead(2 * hourMs + minuteMs);
    await reminded.sweepAndDeliver();
    expect(early.mails()).toHaveLength(1);
  });

  it("comes due once when clocks jump forth and back", async () => {
    const applicant = await reminded.newApplicant();
    await applicant.plan(hourMs);
    for (const hours of [2, 0, 48, 0.5, 72]) {
      await service.setAhead(hours * hourMs);
      await reminded.sweepAndDeliver();
    }
    expect(applicant.mails()).toHaveLength(1);
    expect(await openReminders(applicant)).toMatchObject([{ status: "due" }]);
  });

  it("comes due once when a worker ends after it was recorded, and before its timer is settled", async () => {
    const applicant = await reminded.newApplicant();
    await applicant.plan(hourMs);
    await applicant.plan(3 * hourMs);
    await service.setAhead(hourMs + minuteMs);
    const handlers = service.module.timers(service.worker, {});
    const context = { now: service.now(), cause: testCause("timer:applications.remind") };
    await handlers["applications.remind"]?.(applicant.applicationId, context);
    await reminded.sweepAndDeliver();
    expect(applicant.mails()).toHaveLength(1);
    await service.setAhead(3 * hourMs + minuteMs);
    await reminded.sweepAndDeliver();
    expect(applicant.mails()).toHaveLength(2);
  });

  it("waits while the deletion of the account is scheduled, and comes due when it is cancelled", async () => {
    const applicant = await reminded.newApplicant();
    await applicant.plan(hourMs);
    const cancel = await restrict(service.ledger, applicant.accountId, service.now);
    await service.setAhead(2 * hourMs);
    await reminded.sweepAndDeliver();
    expect(applicant.mails()).toHaveLength(0);
    await cancel();
    await reminded.sweepAndDeliver();
    expect(applicant.mails()).toHaveLength(1);
  });
});

describe("mails of reminders", () => {
  it("are turned off by the mail's own link, and reminders stay", async () => {
    const applicant = await reminded.newApplicant();
    await applicant.plan(hourMs);
    await applicant.plan(2 * hourMs);
    await service.setAhead(hourMs + minuteMs);
    await reminded.sweepAndDeliver();
    const [mail] = applicant.mails();
    const off =
      /<(?<url>https:\/\/talent\.example\/api\/applications\/reminder-mails\/off\?token=[^>]+)>/u;
    const url = off.exec(mail?.headers.get("list-unsubscribe")?.[0] ?? "")?.groups?.["url"] ?? "";
    const post = (path: string) => service.app.inject({ method: "POST", url: path });
    expect((await post(url.replace("https://talent.example", ""))).json()).toEqual({
      status: "off",
    });
    expect((await post("/api/applications/reminder-mails/off?token=other")).statusCode).toBe(404);
    await service.setAhead(2 * hourMs + minuteMs);
    await reminded.sweepAndDeliver();
    expect(applicant.mails()).toHaveLength(1);
    expect((await openReminders(applicant)).map(({ status }) => status)).toEqual(["due", "due"]);
  });

  it("end when the mailbox is gone", async () => {
    const applicant = await reminded.newApplicant();
    await applicant.plan(hourMs);
    const mailId = `reminder-${applicant.applicationId}-${randomUUID()}-1`;
    const context = { now: service.now(), cause: testCause() };
    const { ledger } = service.ledger;
    expect(await reminderReturns(ledger, { mailId, kind: "soft" }, context)).toBe(false);
    expect(await reminderReturns(ledger, { mailId, kind: "hard" }, context)).toBe(true);
    expect(await openReminders(applicant)).toMatchObject([{ byMail: false }]);
  });
});
