import { randomUUID } from "node:crypto";

import { connectMailer, type Mailer } from "@pro-talent/platform/mail/mailer";
import {
  type ScriptedSmtp,
  startScriptedSmtp,
} from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, expect, it } from "vitest";

import { deliverMessage } from "../../../kernel/outbox.ts";
import { testCause } from "../../../testing/create-test-ledger.ts";
import { linksEraser } from "../erase-links.ts";
import { type LinkService, openLinkService } from "../testing/link-service.ts";

const contactOf = async (accountId: string) => ({
  email: `${accountId}@example.com`,
  fullName: "Noa Levi",
  address: "",
  language: "en" as const,
  timeZone: "UTC",
});
let service: LinkService;
let smtp: ScriptedSmtp;
let mailer: Mailer;
beforeAll(async () => {
  [service, smtp] = await Promise.all([openLinkService({ contactOf }), startScriptedSmtp()]);
  const from = { name: "Pro Talent", address: "hello@talent.example" };
  mailer = connectMailer({ smtpUrl: smtp.url, from });
});
afterAll(async () => {
  await Promise.all([mailer.close(), service.close()]);
  await smtp.stop();
});

const post = (url: string, payload: object) => service.internal({ method: "POST", url, payload });
const isTakenDown = async (accountId: string) =>
  (await service.internal({ url: `/internal/portfolios/${accountId}` })).json<unknown>();

it("a portfolio that readers reported is taken down by an administrator alone, and reinstated", async () => {
  const accountId = randomUUID();
  const report = { reason: "impersonation" };
  await post(`/internal/portfolios/${accountId}/report`, report);
  await post(`/internal/portfolios/${accountId}/report`, report);
  const administrator = service.browser(["holder", "administrator"]);
  const listed = await administrator.send("GET", "/api/console/portfolios/reported");
  expect(listed.json()).toMatchObject({
    portfolios: [{ accountId, reports: 2, lastReason: "impersonation", takenDown: false }],
  });
  const path = `/api/console/portfolios/${accountId}`;
  expect((await service.browser().send("POST", `${path}/take-down`, report)).statusCode).toBe(403);
  expect(await isTakenDown(accountId)).toEqual({ takenDown: false });
  expect((await administrator.send("POST", `${path}/take-down`, report)).statusCode).toBe(200);
  expect(await isTakenDown(accountId)).toEqual({ takenDown: true });
  await administrator.send("POST", `${path}/reinstate`);
  expect(await isTakenDown(accountId)).toEqual({ takenDown: false });
});

const words = { name: "Ron <b>", email: "ron@example.com", message: "Can we talk on Sunday?" };
async function send(accountId: string) {
  const messageId = randomUUID();
  const body = { ...words, language: "en", messageId };
  const path = `/internal/portfolios/${accountId}/messages`;
  expect((await post(path, body)).statusCode).toBe(202);
  expect((await post(path, body)).statusCode).toBe(202);
  return messageId;
}
async function deliver(messageId: string) {
  const [message] = await service.ledger.sql<{ id: number }[]>`
    select id from ledger.outbox where payload->>'messageId' = ${messageId}`;
  const handlers = service.module.messages({ ...service.worker, mailer }, {});
  return await deliverMessage(service.ledger.sql, handlers, message?.id ?? -1);
}
const subjectsOf = async (messageId: string) =>
  (await service.ledger.sql`select from ledger.subject where subject_id = ${messageId}`).length;

it("what a reader writes is mailed to the owner once, with the reader's address to answer to, and then erased", async () => {
  const accountId = randomUUID();
  const messageId = await send(accountId);
  expect(await subjectsOf(messageId)).toBe(1);
  const rows = await service.ledger.sql`select event.*::text as row from ledger.event`;
  expect(JSON.stringify(rows)).not.toContain("Sunday");
  expect(await deliver(messageId)).toBe("delivered");
  const mail = await smtp.mailTo(`${accountId}@example.com`);
  expect(mail.subject).toContain("Ron <b>");
  expect(mail.text).toContain("Can we talk on Sunday?");
  expect(mail.headers.get("reply-to")).toEqual(["Ron b <ron@example.com>"]);
  expect(await subjectsOf(messageId)).toBe(0);
  const left = await service.ledger.sql`select from ledger.reader_message`;
  expect(left).toHaveLength(0);
});

it("a message and reports are erased with the account that they are for", async () => {
  const accountId = randomUUID();
  const messageId = await send(accountId);
  await post(`/internal/portfolios/${accountId}/report`, { reason: "other" });
  const person = { accountId, email: null };
  const why = { now: instantFromMs(service.worker.clock()), cause: testCause() };
  const erased = await linksEraser.erase(service.worker, person, why);
  expect(erased).toEqual({ found: 2, left: 0 });
  expect(await subjectsOf(messageId)).toBe(0);
});

it("a message that cannot be delivered is erased after a week", async () => {
  const messageId = await send(randomUUID());
  const timers = service.module.timers(service.worker, {});
  const [timer] = await service.ledger.sql<{ name: string; days: number }[]>`
    select name, round(extract(epoch from due_at - ${new Date(service.worker.clock())}) / 86400)::int as days
      from ledger.due_timer where stream = ${`readermessage-${messageId}`}`;
  expect(timer).toEqual({ name: "portfolios.expire-message", days: 7 });
  const issued = { now: instantFromMs(service.worker.clock()), cause: testCause() };
  await timers["portfolios.expire-message"]?.(messageId, issued);
  expect(await subjectsOf(messageId)).toBe(0);
});
