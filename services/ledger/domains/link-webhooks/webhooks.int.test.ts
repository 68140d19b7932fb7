import { randomUUID } from "node:crypto";

import { openPool } from "@pro-talent/platform/postgres/pool";
import { asRole } from "@pro-talent/platform/testing/engines";
import { linkWebhookCalls } from "@pro-talent/schemas/links/webhook-calls";
import { WebhookMessage } from "@pro-talent/schemas/links/webhook-events";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { type Owner, openWebhookService, type WebhookService } from "./testing/webhook-service.ts";
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

/** What the receiver got; each signature is compared with that of a library that receivers use. */
function messages(secret: string) {
  return service.receiver.received.map(({ headers, body }) => {
    const [id, time] = [String(headers["webhook-id"]), String(headers["webhook-timestamp"])];
    const expected = new Webhook(secret).sign(id, new Date(Number(time) * 1000), body);
    expect(String(headers["webhook-signature"]).split(" ")).toContain(expected);
    return { id, time: Number(time), message: WebhookMessage.parse(JSON.parse(body)) };
  });
}

async function lookAndDeliver(): Promise<void> {
  await service.look();
  await service.deliver();
}

const sent = async (owner: Owner) => {
  const [webhook] = await owner.list();
  return webhook?.deliveries ?? [];
};

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

describe("the calls about webhooks", () => {
  it("add five at most, for plans with analytics, after a recent authentication", async () => {
    const payload = { url: "https://hooks.example.com/" };
    const owner = await service.owner();
    expect((await owner.send("POST", "", { payload, stale: true })).json()).toMatchObject({
      code: "step_up_required",
    });
    for (let count = 0; count < 5; count += 1) await owner.add();
    expect((await owner.send("POST", "", { payload })).json()).toMatchObject({
      code: "webhooks_full",
    });
    const free = await service.owner("free");
    expect((await free.send("POST", "", { payload })).json()).toMatchObject({
      code: "insights_not_included",
    });
    expect((await free.send("GET", "")).json()).toMatchObject({ webhooks: [], included: false });
  });

  it("add one webhook for a request that is repeated", async () => {
    const owner = await service.owner();
    const [payload, key] = [{ url: "https://hooks.example.com/" }, randomUUID()];
    const [first, second] = [
      await owner.send("POST", "", { payload, key }),
      await owner.send("POST", "", { payload, key }),
    ];
    expect(second.json()).toEqual(first.json());
    expect(await owner.list()).toHaveLength(1);
  });

  it.each([
    "http://hooks.example.com/",
    "https://localhost/",
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://[::ffff:127.0.0.1]/",
    "https://metadata.internal/",
    "https://name:password@hooks.example.com/",
    "https://hooks.example.com:8443/",
    "file:///etc/passwd",
  ])("refuse %s", async (url) => {
    const owner = await service.owner();
    const answer = await owner.send("POST", "", { payload: { url } });
    expect(answer.statusCode).toBe(422);
    expect(await owner.list()).toEqual([]);
  });

  it("answer for the webhooks of another account as for none", async () => {
    const [owner, stranger] = [await service.owner(), await service.owner()];
    const { webhookId } = await owner.add();
    await owner.send("POST", `/${webhookId}/test`);
    const [{ deliveryId } = { deliveryId: "" }] = await sent(owner);
    const paths = [
      ["POST", "/secret"],
      ["POST", "/test"],
      ["POST", "/resume"],
      ["POST", `/deliveries/${deliveryId}/replay`],
      ["DELETE", ""],
    ] as const;
    for (const [method, path] of paths) {
      const [others, none] = [
        await stranger.send(method, `/${webhookId}${path}`),
        await stranger.send(method, `/${randomUUID()}${path}`),
      ];
      expect(others.statusCode).toBe(404);
      for (const answer of [others, none])
        expect(answer.json()).toMatchObject({ code: "webhook_not_found" });
    }
    await service.deliver();
    expect(await owner.list()).toHaveLength(1);
  });

  it("send a test message, once, whatever is answered", async () => {
    const owner = await service.owner();
    const { webhookId, secret } = await owner.add();
    expect((await owner.send("POST", `/${webhookId}/test`)).statusCode).toBe(200);
    expect((await owner.send("POST", `/${webhookId}/test`)).json()).toMatchObject({
      code: "test_waiting",
    });
    service.receiver.answers(400);
    await service.deliver();
    await service.moveClock(hourMs);
    await service.deliver();
    expect(messages(secret).map(({ message }) => message.type)).toEqual(["webhook.test"]);
    expect(await sent(owner)).toMatchObject([{ status: "failed", open: null }]);
  });

  it("list the deliveries of 30 days", async () => {
    const owner = await service.owner();
    const { webhookId } = await owner.add();
    owner.opens();
    await lookAndDeliver();
    const [{ deliveryId } = { deliveryId: "" }] = await sent(owner);
    await service.moveClock(30 * 24 * hourMs);
    expect(await sent(owner)).toEqual([]);
    const replay = await owner.send("POST", `/${webhookId}/deliveries/${deliveryId}/replay`);
    expect(replay.json()).toMatchObject({ code: "webhook_not_found" });
  });
});
