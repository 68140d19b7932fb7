import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { runCommand } from "../../kernel/commands.ts";
import { testCause } from "../../testing/create-test-ledger.ts";
import {
  deliveriesOf as sent,
  messagesFor,
  openWebhookService,
  type WebhookService,
} from "./testing/webhook-service.ts";
import { newSecret, webhooks } from "./webhooks.ts";

const hourMs = 60 * 60_000;

let service: WebhookService;
beforeAll(async () => {
  service = await openWebhookService();
});
beforeEach(() => {
  service.receiver.received.length = 0;
  service.receiver.answers(204);
});
afterAll(() => service.close());

describe("the calls about webhooks", () => {
  it("add five at most, for plans with analytics, after a recent authentication", async () => {
    const payload = { url: "https://hooks.example.com/" };
    const owner = await service.owner();
    expect((await owner.send("POST", "", { payload, stale: true })).json()).toMatchObject({
      code: "step_up_required",
    });
    const all = Array.from({ length: 8 }, () => owner.send("POST", "", { payload }));
    const answers = (await Promise.all(all)).map((answer) => answer.statusCode);
    expect(answers.toSorted((one, other) => one - other)).toEqual([
      ...Array.from({ length: 5 }, () => 201),
      ...Array.from({ length: 3 }, () => 409),
    ]);
    expect((await owner.send("POST", "", { payload })).json()).toMatchObject({
      code: "webhooks_full",
    });
    const free = await service.owner("free");
    expect((await free.send("POST", "", { payload })).json()).toMatchObject({
      code: "insights_not_included",
    });
    expect((await free.send("GET", "")).json()).toMatchObject({ webhooks: [], included: false });
  });

  it("keep the former secret that an earlier release stored, also when the secret is replaced again", async () => {
    const owner = await service.owner();
    const { webhookId, secret: first } = await owner.add();
    const url = `https://${service.receiver.name}/hook`;
    const [second, now] = [newSecret(), service.now()];
    const subject = await service.ledger.subjects.find(webhookId);
    const sealed = subject?.seal({ url, secret: second, formerSecret: first });
    if (sealed === undefined) throw new Error("The webhook has no key");
    await runCommand(service.ledger.ledger, webhooks, {
      id: webhookId,
      command: { type: "ReplaceSecret" },
      body: {},
      now,
      cause: testCause(),
      sealed: { ...sealed, type: "WebhookSecretIssued" },
    });
    const replaced = await owner.send("POST", `/${webhookId}/secret`);
    expect(replaced.statusCode).toBe(200);
    await owner.send("POST", `/${webhookId}/test`);
    await service.deliver();
    for (const secret of [first, second]) expect(messagesFor(service, secret)).toHaveLength(1);
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

  it("send nothing again, and resume nothing, once the plan has no analytics", async () => {
    const owner = await service.owner();
    const { webhookId } = await owner.add();
    await owner.send("POST", `/${webhookId}/test`);
    await service.deliver();
    const [{ deliveryId } = { deliveryId: "" }] = await sent(owner);
    await service.ledger.owner`
      update ledger.billing_entitlement set until = ${service.now()}
       where account_id = ${owner.accountId}`;
    for (const path of ["/test", "/resume", `/deliveries/${deliveryId}/replay`]) {
      const answer = await owner.send("POST", `/${webhookId}${path}`);
      expect(answer.json()).toMatchObject({ code: "insights_not_included" });
    }
    expect((await owner.send("DELETE", `/${webhookId}`)).statusCode).toBe(200);
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
    expect(messagesFor(service, secret).map(({ message }) => message.type)).toEqual([
      "webhook.test",
    ]);
    expect(await sent(owner)).toMatchObject([{ status: "failed", open: null }]);
  });

  it("list the deliveries of 30 days", async () => {
    const owner = await service.owner();
    const { webhookId } = await owner.add();
    owner.opens();
    await service.look();
    await service.deliver();
    const [{ deliveryId } = { deliveryId: "" }] = await sent(owner);
    await service.moveClock(30 * 24 * hourMs);
    expect(await sent(owner)).toEqual([]);
    const replay = await owner.send("POST", `/${webhookId}/deliveries/${deliveryId}/replay`);
    expect(replay.json()).toMatchObject({ code: "webhook_not_found" });
  });
});
