import { openPool } from "@pro-talent/platform/postgres/pool";
import { asRole } from "@pro-talent/platform/testing/engines";
import { linkWebhookCalls } from "@pro-talent/schemas/links/webhook-calls";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import {
  deliveriesOf as sent,
  messagesFor,
  openWebhookService,
  type WebhookService,
} from "./testing/webhook-service.ts";
import { webhookEvents } from "./webhooks.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let service: WebhookService;
beforeAll(async () => {
  service = await openWebhookService();
});
beforeEach(() => {
  service.receiver.received.length = 0;
  service.receiver.answers(204);
});
afterAll(() => service.close());

const messages = (secret: string) => messagesFor(service, secret);

async function lookAndDeliver(): Promise<void> {
  await service.look();
  await service.deliver();
}

describe("a first open", () => {
  it("is sent once, signed, with the link, the time, the country and the class of device", async () => {
    const owner = await service.owner();
    const { secret } = await owner.add();
    const open = owner.opens();
    await lookAndDeliver();
    await lookAndDeliver();
    const [{ deliveryId } = { deliveryId: "" }] = await sent(owner);
    expect(messages(secret)).toMatchObject([
      {
        id: `msg_${deliveryId}`,
        message: { type: "link.first_opened", timestamp: open.at, data: open },
      },
    ]);
    expect(await sent(owner)).toMatchObject([
      { status: "delivered", attempts: 1, last: { status: 204, fault: null } },
    ]);
  });

  it("is sent to each webhook of the account, and to none of another", async () => {
    const [owner, stranger] = [await service.owner(), await service.owner()];
    await owner.add();
    await owner.add();
    await stranger.add();
    owner.opens();
    await lookAndDeliver();
    expect(service.receiver.received).toHaveLength(2);
    expect(await sent(stranger)).toEqual([]);
  });

  it("before the webhook was added is not sent; one that becomes known days later is", async () => {
    const owner = await service.owner();
    owner.opens();
    await service.moveClock(minuteMs);
    const { secret } = await owner.add();
    const at = service.now();
    await service.moveClock(5 * 24 * hourMs);
    const late = owner.opens({ at });
    await lookAndDeliver();
    const [received, ...others] = messages(secret);
    expect(others).toEqual([]);
    expect(received?.message).toMatchObject({ timestamp: at, data: late });
    // Signed now: receivers refuse old signatures.
    expect(Math.abs((received?.time ?? 0) - Date.parse(service.now()) / 1000)).toBeLessThan(60);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/u);
  });

  it("of an account whose plan has no analytics is not sent", async () => {
    const owner = await service.owner();
    await owner.add();
    owner.opens();
    await service.ledger.owner`
      update ledger.billing_entitlement set until = ${service.now()}
       where account_id = ${owner.accountId}`;
    await lookAndDeliver();
    expect(service.receiver.received).toEqual([]);
  });
});

describe("a look for first opens", () => {
  it("asks once for all accounts, and then of those alone that had opens or a webhook that is new", async () => {
    const [quiet, busy] = [await service.owner(), await service.owner()];
    await quiet.add();
    await busy.add();
    await service.moveClock(hourMs);
    await service.look();
    await service.moveClock(16 * minuteMs);
    busy.opens();
    service.asked.length = 0;
    await service.look();
    expect(service.asked).toEqual(["opened accounts", busy.accountId]);
    await service.moveClock(16 * minuteMs);
    await service.look();
    await quiet.add();
    await service.moveClock(16 * minuteMs);
    service.asked.length = 0;
    await service.look();
    expect(service.asked).toEqual(["opened accounts", quiet.accountId]);
    await service.deliver();
    expect(service.receiver.received).toHaveLength(1);
  });

  it("finds within an hour an open that became known long after it was", async () => {
    const owner = await service.owner();
    await owner.add();
    await service.look();
    const at = service.now();
    await service.moveClock(50 * minuteMs);
    await service.look();
    owner.opens({ at });
    await service.moveClock(hourMs);
    await lookAndDeliver();
    expect(service.receiver.received).toHaveLength(1);
  });
});

describe("a receiver that fails", () => {
  it("gets the same message again, under the same id, until it accepts it", async () => {
    const owner = await service.owner();
    await owner.add();
    owner.opens();
    service.receiver.answers(503);
    await lookAndDeliver();
    await service.deliver();
    expect(service.receiver.received).toHaveLength(1);
    expect(await sent(owner)).toMatchObject([
      { status: "waiting", attempts: 1, last: { fault: "status", status: 503 } },
    ]);
    service.receiver.answers(204);
    await service.moveClock(minuteMs);
    await service.deliver();
    const [first, second] = service.receiver.received;
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(second?.body).toBe(first?.body);
    expect(await sent(owner)).toMatchObject([{ status: "delivered", attempts: 2 }]);
  });

  it("for three days is paused, its owner sees why, resumes it and replays what failed", async () => {
    const owner = await service.owner();
    const { webhookId } = await owner.add();
    owner.opens();
    service.receiver.answers(500);
    await lookAndDeliver();
    for (let attempts = 1; attempts < 10; attempts += 1) {
      await service.moveClock(25 * hourMs);
      await service.deliver();
    }
    const [webhook] = await owner.list();
    expect(webhook).toMatchObject({
      paused: { reason: "failing" },
      deliveries: [{ status: "failed", attempts: 10, last: { status: 500 } }],
    });
    owner.opens();
    service.receiver.answers(204);
    service.receiver.received.length = 0;
    await lookAndDeliver();
    expect(service.receiver.received).toEqual([]);
    expect((await owner.send("POST", `/${webhookId}/resume`)).statusCode).toBe(200);
    const replay = `/${webhookId}/deliveries/${webhook?.deliveries[0]?.deliveryId}/replay`;
    expect((await owner.send("POST", replay)).statusCode).toBe(200);
    await lookAndDeliver();
    // What was missed while it was paused, and what was replayed.
    expect(service.receiver.received).toHaveLength(2);
    expect(await owner.list()).toMatchObject([
      { paused: null, deliveries: [{ status: "delivered" }, { status: "delivered" }] },
    ]);
  });

  it("does not hold up the webhooks of others", async () => {
    const [slow, other] = [await service.owner(), await service.owner()];
    await slow.add();
    await other.add();
    slow.opens();
    other.opens();
    const held = Promise.withResolvers<undefined>();
    const second = Promise.withResolvers<undefined>();
    let requests = 0;
    service.receiver.answers((_request, response) => {
      requests += 1;
      if (requests > 1) second.resolve(undefined);
      void (requests > 1 ? Promise.resolve(undefined) : held.promise).then(() =>
        response.writeHead(204).end(),
      );
    });
    await service.look();
    const delivering = service.deliver();
    await second.promise;
    held.resolve(undefined);
    await delivering;
    expect(service.receiver.received).toHaveLength(2);
  });
});

describe("a worker that is killed between an attempt and its record", () => {
  it("leaves a message that the next one sends again, under the same id", async () => {
    const owner = await service.owner();
    await owner.add();
    owner.opens();
    await service.look();
    // As killed: the receiver has the message, and the connections that would record it are gone.
    const lost = openPool(asRole(service.ledger.ownerUrl, "ledger_app"), {
      max: 2,
      applicationName: "test-lost",
    });
    service.receiver.answers((_request, response) => {
      void lost.end().then(() => response.writeHead(204).end());
    });
    const { readModels } = service.ledger.ledger;
    expect(await service.deliver({ ledger: { sql: lost, readModels } })).toBe(0);
    service.receiver.answers(204);
    expect(await service.deliver()).toBe(1);
    const [first, second, ...more] = service.receiver.received;
    expect(more).toEqual([]);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(second?.body).toBe(first?.body);
    expect(await sent(owner)).toMatchObject([{ status: "delivered", attempts: 1 }]);
  });

  it("and one that is stopped during an attempt records none that did not end", async () => {
    const owner = await service.owner();
    await owner.add();
    owner.opens();
    await service.look();
    const stopping = new AbortController();
    service.receiver.answers(() => stopping.abort());
    expect(await service.deliver({ stopping: stopping.signal })).toBe(0);
    expect(await sent(owner)).toMatchObject([{ status: "waiting", attempts: 0 }]);
    service.receiver.answers(204);
    expect(await service.deliver()).toBe(1);
    expect(await sent(owner)).toMatchObject([{ status: "delivered", attempts: 1 }]);
  });
});

describe("the secret", () => {
  it("is replaced with a day in which messages are signed with both", async () => {
    const owner = await service.owner();
    const { webhookId, secret: former } = await owner.add();
    const answer = await owner.send("POST", `/${webhookId}/secret`);
    const { secret, webhook } = linkWebhookCalls[
      "POST /api/link-webhooks/:webhookId/secret"
    ].answer.parse(answer.json());
    expect(secret).not.toBe(former);
    expect(webhook.formerSecretUntil).not.toBeNull();
    owner.opens();
    await lookAndDeliver();
    expect(messages(secret)).toEqual(messages(former));
    await service.moveClock(25 * hourMs);
    service.receiver.received.length = 0;
    owner.opens();
    await lookAndDeliver();
    const [last] = service.receiver.received;
    expect(String(last?.headers["webhook-signature"]).split(" ")).toHaveLength(1);
    expect((await owner.list())[0]?.formerSecretUntil).toBeNull();
  });

  it("is used for its whole day, however often it is replaced meanwhile", async () => {
    const owner = await service.owner();
    const { webhookId, secret: first } = await owner.add();
    await Promise.all([1, 2, 3].map(() => owner.send("POST", `/${webhookId}/secret`)));
    owner.opens();
    await lookAndDeliver();
    expect(messages(first)).toHaveLength(1);
    const [sentOnce] = service.receiver.received;
    expect(String(sentOnce?.headers["webhook-signature"]).split(" ")).toHaveLength(4);
  });

  it("and the address are stored sealed, and gone with the webhook", async () => {
    const owner = await service.owner();
    const { webhookId, secret } = await owner.add();
    const stored = async () => {
      const rows = await service.ledger.owner<{ row: string }[]>`
        select e::text as row from ledger.event e where stream = ${webhookEvents.streamOf(webhookId)}`;
      return rows.map(({ row }) => row).join("\n");
    };
    for (const text of [secret, "hooks.example.com", Buffer.from(secret).toString("hex")]) {
      expect(await stored()).not.toContain(text);
    }
    expect((await owner.list()).map((webhook) => JSON.stringify(webhook)).join()).not.toContain(
      "whsec_",
    );
    expect((await owner.send("DELETE", `/${webhookId}`)).json()).toEqual({ status: "done" });
    expect(await service.deliver()).toBe(1);
    expect(await service.ledger.subjects.find(webhookId)).toBeUndefined();
    expect(await owner.list()).toEqual([]);
  });
});
