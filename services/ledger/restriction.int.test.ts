import { randomUUID } from "node:crypto";

import { dayIn, dayPlus } from "@pro-talent/schemas/primitives/calendar";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { expect, it } from "vitest";

import {
  type Holder,
  type BillingService,
  openBillingService,
} from "./domains/billing/testing/billing-service.ts";
import { openCheckout, view } from "./domains/billing/testing/checkout.ts";
import {
  deliveriesOf,
  messagesFor,
  openWebhookService,
} from "./domains/link-webhooks/testing/webhook-service.ts";
import { issueMessageHandlers } from "./domains/newsletter/issue/deliver-issue.ts";
import { issueIdOf, releaseIssue } from "./domains/newsletter/issue/issues.ts";
import { deliverDue, sampleIssue } from "./domains/newsletter/issue/testing/issues.ts";
import { commandSubscriber, newsletterSubscriber } from "./domains/newsletter/subscribers.ts";
import { restrict } from "./domains/privacy/testing/restrict.ts";
import { requester } from "./restriction.ts";
import { createTestLedger, testCause } from "./testing/create-test-ledger.ts";
import { openLegalChanges } from "./testing/open-legal-changes.ts";
import { openPerson } from "./testing/open-person.ts";

/** What stops while the deletion of an account is scheduled, and how it goes on when it is cancelled. */

async function subscriberOf(service: BillingService): Promise<Holder> {
  const holder = service.holder();
  const { checkoutId } = (await openCheckout(holder)).json<{ checkoutId: string }>();
  service.payments.complete(checkoutId);
  await holder.get(`/api/checkout/${checkoutId}`);
  return holder;
}

it("a plan is not renewed; its next period begins on the day of the cancellation", async () => {
  const service = await openBillingService();
  const now = (): Instant => instantFromMs(service.now());
  const [holder, other] = [await subscriberOf(service), await subscriberOf(service)];
  const chargesOf = async ({ accountId }: Holder) =>
    await service.ledger.sql<{ from: string }[]>`
      select data::jsonb->'cover'->>'from' as "from" from ledger.event
       where stream = ${`billing-${accountId}`} and type = 'ChargeIntended'`;
  // The renewal was announced, and is due six days later.
  await service.advance(25);
  const cancel = await restrict(service.ledger, holder.accountId, now);
  await service.advance(20);
  expect([await chargesOf(holder), await chargesOf(other)]).toMatchObject([
    [],
    [{ from: "2026-04-01" }],
  ]);
  expect((await view(holder)).status).toBe("active");
  const mailsBefore = service.mails.length;
  await cancel();
  const from = dayIn(now(), "Asia/Jerusalem");
  await service.advance(1);
  expect(await chargesOf(holder)).toEqual([{ from }]);
  expect(service.mails.length).toBeGreaterThan(mailsBefore);
  await service.close();
});

it("webhooks are silent; what waited and what was opened before arrives after the cancellation", async () => {
  const service = await openWebhookService();
  const owner = await service.owner();
  const { webhookId, secret } = await owner.add();
  await owner.send("POST", `/${webhookId}/test`);
  const cancel = await restrict(service.ledger, owner.accountId, service.now);
  owner.opens();
  await service.look();
  await service.deliver();
  expect(await deliveriesOf(owner)).toMatchObject([{ status: "waiting", attempts: 0 }]);
  expect(service.receiver.received).toEqual([]);
  await cancel();
  await service.look();
  await service.deliver();
  const types = messagesFor(service, secret).map(({ message }) => message.type);
  expect(types.toSorted()).toEqual(["link.first_opened", "webhook.test"]);
  await service.close();
});

it("an issue of the newsletter is not sent to the address of the account, and the next one is", async () => {
  const ledger = await createTestLedger();
  const now = (): Instant => instantFromMs(Date.now());
  const person = await openPerson(ledger, now());
  const [subscriberId = ""] = await ledger.subjects.idsOfAddress(
    newsletterSubscriber,
    person.email,
  );
  const command = { type: "ConfirmSubscription", mail: 1 } as const;
  await commandSubscriber(ledger.ledger, subscriberId, command, { now: now(), cause: testCause() });
  const requestId = randomUUID();
  await ledger.subjects.ofOccasion(requester, requestId, person.email);
  const sent: string[] = [];
  const handlers = issueMessageHandlers(
    {
      ...ledger,
      stopping: new AbortController().signal,
      mailer: {
        send: async ({ to }) => void sent.push(to.address),
        reachable: async () => true,
        close: async () => undefined,
      },
    },
    { perSecond: 1_000, postalAddress: "" },
  );
  const deliver = async () => {
    const issue = sampleIssue();
    await releaseIssue(ledger.ledger, issue, { now: now(), cause: testCause("operator") });
    await deliverDue(ledger, handlers, issueIdOf(issue.slug));
  };
  const cancel = await restrict(ledger, person.accountId, now, requestId);
  await deliver();
  expect(sent).toEqual([]);
  await cancel();
  await deliver();
  expect(sent).toEqual([person.email]);
  await ledger.drop();
});

it("the notice of changed terms waits, and arrives once after the cancellation", async () => {
  const legal = await openLegalChanges(Date.now());
  const now = (): Instant => legal.why().now;
  const accountId = await legal.account();
  const cancel = await restrict(legal.ledger, accountId, now);
  const { changeId, day } = await legal.announce(31);
  await legal.pass(3);
  expect([await legal.effectiveOn(accountId, changeId), legal.mails]).toEqual([null, []]);
  await cancel();
  await legal.pass(2);
  expect(await legal.effectiveOn(accountId, changeId)).toBe(dayPlus(day, 3));
  expect(legal.mails.length).toBe(1);
  await legal.ledger.drop();
});
