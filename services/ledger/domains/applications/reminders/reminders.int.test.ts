import { randomUUID } from "node:crypto";

import { connectMailer, type Mailer } from "@pro-talent/platform/mail/mailer";
import {
  type ScriptedSmtp,
  startScriptedSmtp,
} from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { migrateQueue } from "@pro-talent/platform/queue/migrate-queue";
import { asRole } from "@pro-talent/platform/testing/engines";
import { until } from "@pro-talent/platform/testing/until";
import type { Reminder } from "@pro-talent/schemas/applications/application";
import { applicationCalls } from "@pro-talent/schemas/applications/calls";
import { applicationPartCalls } from "@pro-talent/schemas/applications/part-calls";
import { instantPlus } from "@pro-talent/schemas/primitives/instant";
import { localTimeIn } from "@pro-talent/schemas/primitives/local-time";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { deliverMessage, relayOutbox } from "../../../kernel/outbox.ts";
import { reconcileAll } from "../../../kernel/reconcile.ts";
import { workerOptions } from "../../../kernel/testing/ledger-workers.ts";
import { testCause } from "../../../testing/create-test-ledger.ts";
import { buildLedgerWorker, ledgerConnectionsMin } from "../../../worker-app.ts";
import { restrict } from "../../privacy/testing/restrict.ts";
import {
  type Applicant,
  openTrackerService,
  type TrackerService,
} from "../testing/tracker-service.ts";
import { reminderReturns } from "./send.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const zone = "Asia/Jerusalem";
const Added = applicationCalls["POST /api/applications"].answer;
const Open = applicationCalls["GET /api/applications/reminders"].answer;
const Whole = applicationCalls["GET /api/applications/:applicationId"].answer;
const Planned = applicationPartCalls["POST /api/applications/:applicationId/reminders"].answer;

let service: TrackerService;
let smtp: ScriptedSmtp;
let mailer: Mailer;
beforeAll(async () => {
  [service, smtp] = await Promise.all([openTrackerService(), startScriptedSmtp()]);
  mailer = connectMailer({
    smtpUrl: smtp.url,
    from: { name: "Pro Talent", address: "hello@talent.example" },
  });
});
afterEach(async () => {
  smtp.forget();
  await service.setAhead(0);
  await service.ledger.owner`delete from ledger.due_timer`;
  await service.ledger.owner`update ledger.outbox set given_up_at = now() where done_at is null`;
});
afterAll(async () => {
  await Promise.all([mailer.close(), service.close()]);
  await smtp.stop();
});

/** An applicant with an application. */
async function newApplicant(language: Locale = "en") {
  const applicant = await service.applicant("premium", language);
  const details = { company: "Acme", role: "Designer" };
  const body = { applications: [{ details }] };
  const answer = await applicant.send("POST", "/api/applications", body);
  const { applicationId = "" } = Added.parse(answer.json()).applications[0] ?? {};
  const path = `/api/applications/${applicationId}/reminders`;
  /** The time that clocks of a zone show so much later. */
  const timeIn = (ms: number, of = zone) => localTimeIn(instantPlus(service.now(), ms), of);
  return {
    ...applicant,
    applicationId,
    timeIn,
    plan: async (inMs: number, byMail = true): Promise<Reminder> => {
      const reminder = { at: timeIn(inMs), zone, text: "להתקשר לדנה", byMail };
      return Planned.parse((await applicant.send("POST", path, reminder)).json()).reminder;
    },
    change: (reminderId: string, change: object) =>
      applicant.send("PATCH", `${path}/${reminderId}`, change),
    mails: () =>
      smtp.accepted().flatMap(({ to, read }) => (to === applicant.email ? [read()] : [])),
    whole: async () =>
      Whole.parse((await applicant.send("GET", `/api/applications/${applicationId}`)).json()),
  };
}

const open = async ({ send }: Applicant) => {
  const query = `until=2040-01-01&zone=${zone}`;
  return Open.parse((await send("GET", `/api/applications/reminders?${query}`)).json()).reminders;
};

/** Delivers what is in the outbox, as a worker does. */
async function deliver(): Promise<void> {
  const handlers = service.module.messages({ ...service.worker, mailer }, {});
  const messages = await service.ledger.sql<{ id: number }[]>`
    select id from ledger.outbox where done_at is null and given_up_at is null order by id`;
  for (const { id } of messages) await deliverMessage(service.ledger.sql, handlers, id);
}

async function sweepAndDeliver(): Promise<void> {
  await service.sweep();
  await deliver();
}

describe("a reminder", () => {
  it.each([
    ["en", "Reminder: Acme, Designer"],
    ["he", "תזכורת: Acme, Designer"],
  ] as const)(
    "in %s is mailed once, at its local time, without what was noted",
    async (language, subject) => {
      const applicant = await newApplicant(language);
      const { dueAt, status } = await applicant.plan(hourMs);
      expect(status).toBe("planned");
      await sweepAndDeliver();
      expect(applicant.mails()).toHaveLength(0);
      await service.setAhead(hourMs + minuteMs);
      await sweepAndDeliver();
      await sweepAndDeliver();
      const [mail, ...more] = applicant.mails();
      expect(more).toHaveLength(0);
      expect(mail?.subject).toBe(subject);
      expect(mail?.text).toContain(
        `https://talent.example/applications/${applicant.applicationId}`,
      );
      expect(JSON.stringify(mail)).not.toContain("דנה");
      expect(await open(applicant)).toMatchObject([{ dueAt, status: "due", text: "להתקשר לדנה" }]);
      const { history, application } = await applicant.whole();
      expect(history[0]).toMatchObject({ kind: "reminded" });
      expect(application.remindAt).toBe(dueAt);
    },
  );

  it("that is put off is mailed again, and one that is done is not", async () => {
    const applicant = await newApplicant();
    const [first, second] = [await applicant.plan(hourMs), await applicant.plan(hourMs)];
    await applicant.change(second.reminderId, { done: true });
    await service.setAhead(hourMs + minuteMs);
    await sweepAndDeliver();
    expect(applicant.mails()).toHaveLength(1);
    await applicant.change(first.reminderId, { at: applicant.timeIn(hourMs) });
    await service.setAhead(2 * hourMs + 2 * minuteMs);
    await sweepAndDeliver();
    expect(applicant.mails()).toHaveLength(2);
    expect(new Set(applicant.mails().map(({ messageId }) => messageId)).size).toBe(2);
    expect((await open(applicant)).map(({ reminderId }) => reminderId)).toEqual([first.reminderId]);
    const answer = await applicant.change(first.reminderId, { at: "2020-01-01T09:00" });
    expect(answer.json()).toMatchObject({ code: "reminder_past" });
    const unknown = await applicant.change(first.reminderId, { zone: "Asia/Nowhere" });
    expect(unknown.json()).toMatchObject({ code: "zone_unknown" });
  });

  it("whose zone changes is due at the same time of the other zone", async () => {
    const applicant = await newApplicant();
    const { reminderId, at } = await applicant.plan(2 * hourMs);
    const answer = await applicant.change(reminderId, { zone: "America/New_York" });
    const { reminder } = Planned.parse(answer.json());
    expect(reminder).toMatchObject({ at, zone: "America/New_York", text: "להתקשר לדנה" });
    await service.setAhead(3 * hourMs);
    await sweepAndDeliver();
    expect(applicant.mails()).toHaveLength(0);
    await service.setAhead(Date.parse(reminder.dueAt) - Date.now() + minuteMs);
    await sweepAndDeliver();
    expect(applicant.mails()).toHaveLength(1);
  });

  it("that is found too early waits, and one whose timer is late is put right, when rules of its zone change", async () => {
    const [early, late] = [await newApplicant(), await newApplicant()];
    await early.plan(2 * hourMs);
    await late.plan(hourMs);
    // As under the rules that were known when they were planned.
    const stream = (applicationId: string) => `application-${applicationId}`;
    await service.ledger.owner`
      update ledger.due_timer set due_at = due_at - interval '1 hour' where stream = ${stream(early.applicationId)}`;
    await service.ledger.owner`
      update ledger.due_timer set due_at = due_at + interval '1 hour' where stream = ${stream(late.applicationId)}`;
    await service.setAhead(hourMs + minuteMs);
    await sweepAndDeliver();
    expect([early.mails(), late.mails()]).toEqual([[], []]);
    await reconcileAll({ sql: service.ledger.sql, kinds: service.module.streams });
    await sweepAndDeliver();
    expect(late.mails()).toHaveLength(1);
    expect(early.mails()).toHaveLength(0);
    await service.setAhead(2 * hourMs + minuteMs);
    await sweepAndDeliver();
    expect(early.mails()).toHaveLength(1);
  });

  it("comes due once when clocks jump forth and back", async () => {
    const applicant = await newApplicant();
    await applicant.plan(hourMs);
    for (const hours of [2, 0, 48, 0.5, 72]) {
      await service.setAhead(hours * hourMs);
      await sweepAndDeliver();
    }
    expect(applicant.mails()).toHaveLength(1);
    expect(await open(applicant)).toMatchObject([{ status: "due" }]);
  });

  it("comes due once when a worker ends after it was recorded, and before its timer is settled", async () => {
    const applicant = await newApplicant();
    await applicant.plan(hourMs);
    await applicant.plan(3 * hourMs);
    await service.setAhead(hourMs + minuteMs);
    const handlers = service.module.timers(service.worker, {});
    const context = { now: service.now(), cause: testCause("timer:applications.remind") };
    await handlers["applications.remind"]?.(applicant.applicationId, context);
    await sweepAndDeliver();
    expect(applicant.mails()).toHaveLength(1);
    await service.setAhead(3 * hourMs + minuteMs);
    await sweepAndDeliver();
    expect(applicant.mails()).toHaveLength(2);
  });

  it("waits while the deletion of the account is scheduled, and comes due when it is cancelled", async () => {
    const applicant = await newApplicant();
    await applicant.plan(hourMs);
    const cancel = await restrict(service.ledger, applicant.accountId, service.now);
    await service.setAhead(2 * hourMs);
    await sweepAndDeliver();
    expect(applicant.mails()).toHaveLength(0);
    await cancel();
    await sweepAndDeliver();
    expect(applicant.mails()).toHaveLength(1);
  });
});

describe("mails of reminders", () => {
  it("are turned off by the mail's own link, and reminders stay", async () => {
    const applicant = await newApplicant();
    await applicant.plan(hourMs);
    await applicant.plan(2 * hourMs);
    await service.setAhead(hourMs + minuteMs);
    await sweepAndDeliver();
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
    await sweepAndDeliver();
    expect(applicant.mails()).toHaveLength(1);
    expect((await open(applicant)).map(({ status }) => status)).toEqual(["due", "due"]);
  });

  it("end when the mailbox is gone", async () => {
    const applicant = await newApplicant();
    await applicant.plan(hourMs);
    const mailId = `reminder-${applicant.applicationId}-${randomUUID()}-1`;
    const context = { now: service.now(), cause: testCause() };
    const { ledger } = service.ledger;
    expect(await reminderReturns(ledger, { mailId, kind: "soft" }, context)).toBe(false);
    expect(await reminderReturns(ledger, { mailId, kind: "hard" }, context)).toBe(true);
    expect(await open(applicant)).toMatchObject([{ byMail: false }]);
  });
});

describe("workers", () => {
  const workers: { readonly app: FastifyInstance; readonly end: () => Promise<void> }[] = [];
  let queueUrl: string;
  beforeAll(async () => {
    const { ownerUrl } = service.ledger;
    queueUrl = asRole(ownerUrl, "jobs_app");
    await migrateQueue({ queueUrl, ownerUrl, name: "ledger", role: "jobs_app" });
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map(({ end }) => end()));
  });

  async function startWorker(): Promise<void> {
    const url = asRole(service.ledger.ownerUrl, "ledger_app");
    const sql = openPool(url, { max: ledgerConnectionsMin, applicationName: "test-worker" });
    const { keys } = service.ledger.testKeys;
    const { clock } = service.worker;
    const change = { modules: [service.module], mailer, clock, sweepEveryMs: 50, firstWaitMs: 400 };
    const app = await buildLedgerWorker(workerOptions(sql, queueUrl, keys, change));
    workers.push({
      app,
      end: async () => {
        await app.close();
        await sql.end();
      },
    });
  }

  it("mail each of many reminders once, however many they are, and one ends in between", async () => {
    const applicants = await Promise.all(Array.from({ length: 12 }, () => newApplicant()));
    for (const applicant of applicants) await applicant.plan(hourMs);
    await service.setAhead(hourMs + minuteMs);
    await Promise.all([startWorker(), startWorker(), startWorker()]);
    const mails = () => applicants.flatMap((applicant) => applicant.mails());
    await until("some are mailed", () => mails().length >= 3, 30_000);
    await workers.shift()?.end();
    await until("all are mailed", () => mails().length >= applicants.length, 30_000);
    const left = await until("nothing is left to do", async () => {
      const rows = await service.ledger.owner`
        select from ledger.outbox where done_at is null and given_up_at is null`;
      return rows.length === 0;
    });
    expect(left).toBe(true);
    expect(applicants.map((applicant) => applicant.mails().length)).toEqual(
      applicants.map(() => 1),
    );
  });

  it("mail a reminder that a queue has lost", async () => {
    const applicant = await newApplicant();
    await applicant.plan(hourMs);
    await service.setAhead(hourMs + minuteMs);
    await service.sweep();
    const { sql, log } = service.ledger;
    const lossy = { add: async () => undefined };
    expect(await relayOutbox({ sql, log, queue: lossy, firstWaitMs: 200 })).toBe(1);
    expect(await relayOutbox({ sql, log, queue: lossy, firstWaitMs: 200 })).toBe(0);
    await startWorker();
    await until("it is mailed", () => applicant.mails().length === 1, 30_000);
  });
});
