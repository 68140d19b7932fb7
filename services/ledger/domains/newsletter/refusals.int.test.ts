import type { ScriptedSmtp, SmtpStep } from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import { subscribePath } from "@pro-talent/schemas/newsletter/categories";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { testCause } from "../../testing/create-test-ledger.ts";
import { countDeliveries } from "./issue/delivery-store.ts";
import { deliverIssueMessage, issueIdOf, releaseIssue } from "./issue/issues.ts";
import { sampleIssue } from "./issue/testing/issues.ts";
import { confirmAddressMessage, eraseDepartedTimer } from "./subscribers.ts";
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
afterEach(async () => {
  smtp.forget();
  await service.ledger.owner`update ledger.newsletter_subscriber set status = 'complained'`;
});
afterAll(() => mailed.close());

/** How many of the subscribers are lost: recorded as unreachable, or to be erased. */
async function lost(ids: readonly string[]): Promise<{ bounced: number; erasing: number }> {
  const { owner } = service.ledger;
  const bounced = await owner`
    select from ledger.newsletter_subscriber
     where subscriber_id = any (${ids}::uuid[]) and status = 'bounced'`;
  const erasing = await owner`
    select from ledger.due_timer where name = ${eraseDepartedTimer}
       and stream = any (${ids.map((id) => `newsletter-${id}`)}::text[])`;
  return { bounced: bounced.length, erasing: erasing.length };
}

/** Delivers what is due of a new issue to new subscribers. */
async function sendIssue(subscribers: number) {
  const ids: string[] = [];
  for (let at = 0; at < subscribers; at += 1) {
    ids.push((await subscribeAndConfirm(service, newAddress())).subscriberId);
  }
  const issue = sampleIssue();
  const id = issueIdOf(issue.slug);
  const context = { now: instantFromMs(service.now()), cause: testCause("operator") };
  await releaseIssue(service.ledger.ledger, issue, context);
  const part = { issueId: id, part: 1 };
  await mailed.deliver(deliverIssueMessage, part).catch(() => undefined);
  return { ids, counts: await countDeliveries(service.ledger.sql, id) };
}

/** Refusals that say nothing about the address. */
const notTheAddress: readonly (readonly [string, SmtpStep])[] = [
  [
    "a relay that is not set up for us",
    { refuseRecipient: 554, text: "5.7.1 Relay access denied" },
  ],
  ["a sign-in that is missing", { refuseRecipient: 530, text: "5.7.0 Authentication required" }],
  ["a full mailbox", { refuseRecipient: 552, text: "5.2.2 Over quota" }],
  ["a block list", { refuseRecipient: 550, text: "Blocked" }],
  ["a content filter", { refuseMail: 554, text: "5.7.1 Message rejected as spam" }],
  ["a mail that is malformed for the server", { refuseMail: 550, text: "5.6.0 Lone CR or LF" }],
];

describe.each(notTheAddress)("%s", (_what, step) => {
  it("costs an issue no subscriber", async () => {
    smtp.script("*", step);
    const { ids, counts } = await sendIssue(3);
    expect(await lost(ids)).toEqual({ bounced: 0, erasing: 0 });
    expect(counts).toMatchObject({ waiting: 3, sent: 0, refused: 0 });
  });

  it("leaves a new subscriber pending, and the mail is sent later", async () => {
    const email = newAddress();
    smtp.script(email, step, "accept");
    await service.post(subscribePath, subscribeBody(email));
    const { subscriberId, mail } = await service.newestMail();
    const attempt = () => mailed.deliver(confirmAddressMessage, { subscriberId, mail });
    await expect(attempt()).rejects.toThrow(/ 5\d\d /);
    expect(await service.statusOf(subscriberId)).toBe("pending");
    await attempt();
    expect(smtp.byRecipient().get(email)).toBe(1);
  });
});

describe("a mailbox that does not exist", () => {
  it("ends that subscription and no other", async () => {
    smtp.script("*", { refuseRecipient: 550, text: "5.1.1 User unknown" }, "accept");
    const { ids, counts } = await sendIssue(1);
    expect(await lost(ids)).toEqual({ bounced: 1, erasing: 1 });
    expect(counts).toMatchObject({ waiting: 0, refused: 1 });
  });
});
