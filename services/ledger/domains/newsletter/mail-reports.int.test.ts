import { complaintReport, statusReport } from "@pro-talent/platform/mail/testing/sample-reports";
import type { ScriptedSmtp } from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import { asRole } from "@pro-talent/platform/testing/engines";
import { runHere, runProgram } from "@pro-talent/platform/testing/run-program";
import { mailReportsPath, subscribePath } from "@pro-talent/schemas/newsletter/categories";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { internalToken, testCause } from "../../testing/create-test-ledger.ts";
import { deliverIssueMessage, issueIdOf, releaseIssue } from "./issue/issues.ts";
import { sampleIssue } from "./issue/testing/issues.ts";
import { subscriberOfMail } from "./mail-reports.ts";
import {
  type MailedNewsletter,
  newAddress,
  openMailedNewsletter,
} from "./testing/mailed-newsletter.ts";
import {
  type NewsletterService,
  subscribeAndConfirm,
  subscribeBody,
} from "./testing/newsletter-service.ts";

let mailed: MailedNewsletter;
let service: NewsletterService;
let smtp: ScriptedSmtp;
beforeAll(async () => {
  mailed = await openMailedNewsletter();
  ({ service, smtp } = mailed);
});
afterEach(() => smtp.forget());
afterAll(() => mailed.close());

async function post(report: Buffer): Promise<unknown> {
  const answer = await service.app.inject({
    method: "POST",
    url: mailReportsPath,
    headers: { authorization: `Bearer ${internalToken}`, "content-type": "message/rfc822" },
    payload: report,
  });
  expect(answer.statusCode).toBe(200);
  return answer.json<{ status: string }>().status;
}

/** A subscriber who was mailed, and the headers by which a report names that mail. */
async function mailedSubscriber() {
  const email = newAddress();
  const { subscriberId } = await subscribeAndConfirm(service, email);
  await mailed.deliverAll();
  const { headers, messageId } = await smtp.mailTo(email);
  const feedbackId = headers.get("cfbl-feedback-id")?.[0] ?? "";
  return { email, subscriberId, messageId, headers: [`CFBL-Feedback-ID: ${feedbackId}`] };
}

const soft = ["Action: failed", "Status: 5.2.2", "Diagnostic-Code: smtp; 552 5.2.2 Mailbox full"];

describe("a bounce message", () => {
  it("ends the subscription of the mail that it is about", async () => {
    const { subscriberId, messageId } = await mailedSubscriber();
    expect(await post(statusReport({ messageId }))).toBe("recorded");
    expect(await service.statusOf(subscriberId)).toBe("bounced");
  });

  it("about an issue finds its subscriber", async () => {
    await service.ledger.owner`update ledger.newsletter_subscriber set status = 'complained'`;
    const { email, subscriberId } = await mailedSubscriber();
    smtp.forget();
    const issue = sampleIssue();
    const context = { now: instantFromMs(service.now()), cause: testCause("operator") };
    await releaseIssue(service.ledger.ledger, issue, context);
    await mailed.deliver(deliverIssueMessage, { issueId: issueIdOf(issue.slug), part: 1 });
    const { messageId } = await smtp.mailTo(email);
    expect(await post(statusReport({ messageId }))).toBe("recorded");
    expect(await service.statusOf(subscriberId)).toBe("bounced");
  });

  it("that comes again counts once", async () => {
    const { subscriberId, messageId } = await mailedSubscriber();
    for (let time = 0; time < 5; time += 1) {
      expect(await post(statusReport({ messageId, fields: soft }))).toBe("recorded");
    }
    expect(await service.statusOf(subscriberId)).toBe("confirmed");
  });

  it("of a refusal that is about us changes nothing", async () => {
    const { subscriberId, messageId } = await mailedSubscriber();
    const fields = ["Action: failed", "Status: 5.7.1", "Diagnostic-Code: smtp; 554 5.7.1 Spam"];
    expect(await post(statusReport({ messageId, fields }))).toBe("ignored");
    expect(await service.statusOf(subscriberId)).toBe("confirmed");
  });
});

describe("a complaint message", () => {
  const isMailed = async (email: string): Promise<boolean> => {
    smtp.forget();
    await service.post(subscribePath, subscribeBody(email));
    await mailed.deliverAll();
    return smtp.accepted().length > 0;
  };

  it("ends the subscription and all mail to the mailbox", async () => {
    const { email, subscriberId, messageId } = await mailedSubscriber();
    expect(await post(complaintReport({ messageId }))).toBe("recorded");
    expect(await service.statusOf(subscriberId)).toBe("complained");
    await mailed.erase(subscriberId);
    expect(await isMailed(email.replace("@", "+again@"))).toBe(false);
  });

  it("ends all mail also when the address was erased before, or the Message-ID removed", async () => {
    const { email, subscriberId, headers } = await mailedSubscriber();
    await mailed.erase(subscriberId);
    expect(await post(complaintReport({ messageId: "", headers }))).toBe("recorded");
    expect(await isMailed(email)).toBe(false);
  });
});

describe("a forged report", () => {
  it("of a mail that was never sent changes nothing", async () => {
    const before = await service.countEvents();
    const listed = async () => (await service.ledger.owner`select from ledger.do_not_mail`).length;
    const blocked = await listed();
    const id = crypto.randomUUID();
    for (const mailId of [`newsletter-confirm-${id}-1`, `newsletter-issue-${id}-${id}`, id, "x"]) {
      const messageId = `<${mailId}@talent.example>`;
      const headers = [`CFBL-Feedback-ID: ${Buffer.alloc(48, 7).toString("base64url")}`];
      expect(await post(statusReport({ messageId, headers }))).toBe("ignored");
      expect(await post(complaintReport({ messageId, headers }))).toBe("ignored");
    }
    expect(await post(Buffer.from("Subject: hello\r\n\r\nhello"))).toBe("ignored");
    expect([await service.countEvents(), await listed()]).toEqual([before, blocked]);
  });

  it("needs the internal token, and is not read beyond its limit", async () => {
    const url = mailReportsPath;
    const headers = { "content-type": "message/rfc822" };
    const open = await service.app.inject({ method: "POST", url, headers, payload: "x" });
    expect(open.statusCode).toBe(401);
    const authorization = `Bearer ${internalToken}`;
    const large = await service.app.inject({
      method: "POST",
      url,
      headers: { ...headers, authorization },
      payload: Buffer.alloc(1024 * 1024 + 1, "a"),
    });
    expect(large.statusCode).toBe(413);
  });
});

it("npm run mail:report records a message from its input", async () => {
  const { email, subscriberId, messageId } = await mailedSubscriber();
  const program = new URL("../../mail-report.cli.ts", import.meta.url);
  const environment = {
    DATABASE_OPERATOR_URL: asRole(service.ledger.ownerUrl, "ledger_operator"),
    ...service.ledger.testKeys.environment,
  };
  const run = (input: Buffer) => runProgram(program, [], environment, input);
  expect(await run(statusReport({ messageId }))).toMatchObject({
    code: 0,
    output: "It is recorded.\n",
  });
  expect(await service.statusOf(subscriberId)).toBe("bounced");
  const withdraw = () => runHere(program, ["--withdraw", email], environment);
  expect((await withdraw()).output).toBe(
    "The bounce is withdrawn; the subscriber is confirmed again.\n",
  );
  expect(await service.statusOf(subscriberId)).toBe("confirmed");
  expect(await withdraw()).toMatchObject({ code: 1 });
  expect(await run(Buffer.from("Subject: hello\r\n\r\n"))).toMatchObject({
    code: 1,
    output: "It is no report about a mail of ours.\n",
  });
});

it("only ids of our mails name a subscriber", () => {
  const id = "0b9c1a52-70e4-4b6f-a8a5-0f6f0be2d7c9";
  expect(subscriberOfMail(`newsletter-confirm-${id}-12`)).toBe(id);
  expect(subscriberOfMail(`newsletter-preferences-link-${id}-2026-01-05T08-00-00.000Z`)).toBe(id);
  for (const other of [`contact-support-${id}`, id, `newsletter-confirm-${id}x`, "newsletter-"]) {
    expect(subscriberOfMail(other)).toBeUndefined();
  }
});
