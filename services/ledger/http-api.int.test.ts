import { randomUUID } from "node:crypto";

import { createLogger } from "@pro-talent/platform/runtime/logger";
import { openDocumentedAnswers } from "@pro-talent/platform/testing/documented-answers";
import { newsletterConsentTexts } from "@pro-talent/schemas/newsletter/consent-texts";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";

import { buildLedgerApp } from "./app.ts";
import { decision } from "./domains/consent/testing/decisions.ts";
import { entered } from "./domains/contact/testing/contact-samples.ts";
import { mailTokenKey, writeNeverToken, writeToken } from "./domains/newsletter/mail-tokens.ts";
import { newsletterSubscriber } from "./domains/newsletter/subscribers.ts";
import { createTestLedger, internalToken, type TestLedger } from "./testing/create-test-ledger.ts";

let ledger: TestLedger;
let app: FastifyInstance;
const documented = openDocumentedAnswers();

beforeAll(async () => {
  ledger = await createTestLedger();
  app = await buildLedgerApp({
    ...ledger,
    log: createLogger({ service: "test", level: "silent" }),
    keys: ledger.testKeys.keys,
    formsPerMinute: 1000,
    readsPerMinute: 1000,
  });
});
afterAll(async () => {
  await app.close();
  await ledger.drop();
});

type Request = {
  readonly body?: object | undefined;
  /** A body that is a mail. */
  readonly mail?: string;
  readonly parameter?: string;
  readonly token?: string;
  readonly authorization?: string;
};

/** Calls as documented and compares the answer. @returns its body */
async function expectDocumented(
  name: string,
  status: number,
  request: Request = {},
): Promise<unknown> {
  const [method, path = ""] = name.split(" ");
  const { body, mail, parameter = "", token, authorization } = request;
  const answer = await app.inject({
    method: method === "GET" ? "GET" : "POST",
    url: path.replace(/\{\w+\}/, parameter) + (token === undefined ? "" : `?token=${token}`),
    ...((body ?? mail) !== undefined && { payload: body ?? mail }),
    headers: {
      ...(mail !== undefined && { "content-type": "message/rfc822" }),
      ...(authorization !== undefined && { authorization }),
    },
  });
  expect([name, answer.statusCode]).toEqual([name, status]);
  expect([name, documented.faultsOf(name, answer)]).toEqual([name, []]);
  return answer.json();
}

/** A subscriber's tokens, as they are mailed. */
async function subscribe(): Promise<{
  email: string;
  id: string;
  confirm: string;
  manage: string;
}> {
  const email = `noa-${randomUUID()}@example.com`;
  const consentText = newsletterConsentTexts[0]?.text.en;
  const body = { email, language: "en", sourceContext: "footer_form", consentText };
  await expectDocumented("POST /api/newsletter/subscribe", 200, { body });
  const { id } = await ledger.subjects.withAddress(newsletterSubscriber, email);
  const key = mailTokenKey(ledger);
  const tokenFor = (purpose: "confirm" | "manage", mail: number): string =>
    writeToken(key, { purpose, subscriberId: id, mail });
  return { email, id, confirm: tokenFor("confirm", 1), manage: tokenFor("manage", 0) };
}

it("consent calls answer as documented", async () => {
  const authorization = `Bearer ${internalToken}`;
  const decisions = "POST /internal/consent/decisions";
  await expectDocumented(decisions, 401, { body: decision() });
  await expectDocumented(decisions, 422, { body: {}, authorization });
  const answer = await expectDocumented(decisions, 200, { body: decision(), authorization });
  const parameter = /[0-9a-f-]{36}/.exec(JSON.stringify(answer))?.[0] ?? "";
  for (const name of ["receipts", "history"]) {
    await expectDocumented(`GET /api/consent/${name}/{receiptId}`, 200, { parameter });
    await expectDocumented(`GET /api/consent/${name}/{receiptId}`, 404, {
      parameter: randomUUID(),
    });
  }
});

it("the contact call answers as documented", async () => {
  await expectDocumented("POST /api/contact/send", 200, { body: entered() });
  await expectDocumented("POST /api/contact/send", 422, { body: entered({ email: "none" }) });
});

it("newsletter calls answer as documented", async () => {
  const { email, id, confirm, manage } = await subscribe();
  const other = await subscribe();
  const [confirmCall, resend] = ["POST /api/newsletter/confirm", "POST /api/newsletter/resend"];
  const preferences = "/api/newsletter/preferences";
  const chosen = { language: "he", frequency: "monthly", topics: ["launch"] };
  await expectDocumented(resend, 200, { token: other.confirm, body: {} });
  await expectDocumented(confirmCall, 410, { body: { token: other.confirm } });
  await expectDocumented(confirmCall, 200, { body: { token: confirm } });
  await expectDocumented(confirmCall, 409, { body: { token: confirm } });
  await expectDocumented(confirmCall, 404, { body: { token: "mangled" } });
  const again = { email, language: "en", sourceContext: "footer_form", consentText: "Yes" };
  await expectDocumented("POST /api/newsletter/subscribe", 409, { body: again });
  await expectDocumented(`GET ${preferences}`, 200, { token: manage });
  await expectDocumented(`GET ${preferences}`, 404, { token: "mangled" });
  await expectDocumented(`POST ${preferences}`, 200, { body: { token: manage, ...chosen } });
  await expectDocumented(`POST ${preferences}`, 422, { body: { token: manage } });
  const authorization = `Bearer ${internalToken}`;
  const report = { subscriberId: id, kind: "soft" };
  await expectDocumented("POST /internal/newsletter/bounces", 200, { body: report, authorization });
  const reports = "POST /internal/newsletter/mail-reports";
  await expectDocumented(reports, 401, { body: {} });
  await expectDocumented(reports, 422, { body: {}, authorization });
  await expectDocumented(reports, 200, { authorization, mail: "Subject: hello" });
  const link = "POST /api/newsletter/preferences/link";
  await expectDocumented(link, 200, { body: { email: "noa@example.com" } });
  const mailbox = ledger.mailboxes.hashOf(email);
  const never = writeNeverToken(mailTokenKey(ledger), { subscriberId: id, mailbox });
  await expectDocumented("POST /api/newsletter/never", 404, { body: { token: manage } });
  await expectDocumented("POST /api/newsletter/never", 200, { body: { token: never } });
  await expectDocumented("POST /api/newsletter/unsubscribe", 200, { body: { token: manage } });
});

it("every documented call of the ledger was seen to succeed", () => {
  const prefixes = [
    "/api/consent",
    "/api/contact",
    "/api/newsletter",
    "/internal/consent",
    "/internal/newsletter",
  ];
  expect(documented.confirmed()).toEqual(documented.callsUnder(prefixes).toSorted());
});
