import { randomUUID } from "node:crypto";

import { newsletterPaths, subscribePath } from "@pro-talent/schemas/newsletter/categories";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { internalToken } from "../../testing/create-test-ledger.ts";
import {
  expectRefusal,
  type NewsletterService,
  openNewsletterService,
  subscribeAndConfirm,
  subscribeBody,
} from "./testing/newsletter-service.ts";

let service: NewsletterService;
beforeAll(async () => {
  service = await openNewsletterService();
});
afterAll(() => service.close());

const { preferences, preferencesLink, unsubscribe } = newsletterPaths;
const newAddress = (): string => `reader-${randomUUID()}@example.com`;

describe("a new link to the preferences", () => {
  it("is mailed to a subscriber, and the answer is the same for every address", async () => {
    const email = newAddress();
    const { subscriberId } = await subscribeAndConfirm(service, email);
    const unconfirmed = newAddress();
    await service.post(subscribePath, subscribeBody(unconfirmed));
    const before = (await service.messages()).length;
    const answers = await Promise.all(
      [email.toUpperCase(), unconfirmed, newAddress()].map((address) =>
        service.post(preferencesLink, { email: address }),
      ),
    );
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({ status: "link_sent" });
    }
    const messages = (await service.messages()).slice(before);
    expect(messages).toMatchObject([
      { name: "newsletter.preferences-link", payload: { subscriberId } },
    ]);
  });

  it("leaves no trace of an address that is not known", async () => {
    const subjects = () => service.ledger.sql`select subject_id from ledger.subject`;
    const before = (await subjects()).length;
    await service.post(preferencesLink, { email: newAddress() });
    expect(await subjects()).toHaveLength(before);
  });

  it.each(["", "noa@example", 7])("is not mailed to %j", async (email) => {
    expect((await service.post(preferencesLink, { email })).statusCode).toBe(422);
  });
});

describe("preferences", () => {
  const changed = { language: "he", frequency: "monthly", topics: ["launch"] };

  it("are shown to the holder of a newsletter mail's token, and changed", async () => {
    const email = newAddress();
    const { subscriberId, token } = await subscribeAndConfirm(service, email);
    const shown = await service.get(`${preferences}?token=${token}`);
    expect(shown.headers["cache-control"]).toBe("no-store");
    expect(shown.json()).toEqual({
      status: "subscribed",
      email,
      language: "en",
      frequency: "weekly",
      topics: ["updates", "features"],
    });
    const answer = await service.post(preferences, { token, ...changed });
    expect(answer.json()).toEqual({ status: "subscribed", email, ...changed });
    expect(
      await service.ledger.sql`
      select language, frequency, topics from ledger.newsletter_subscriber
       where subscriber_id = ${subscriberId}`,
    ).toEqual([changed]);
  });

  it("of a subscriber who left are shown, and changing them does not subscribe again", async () => {
    const { subscriberId, token } = await subscribeAndConfirm(service, newAddress());
    await service.post(unsubscribe, { token });
    const answer = await service.post(preferences, { token, ...changed });
    expect(answer.json()).toMatchObject({ status: "unsubscribed", language: "en" });
    expect(await service.statusOf(subscriberId)).toBe("unsubscribed");
  });

  it.each([
    ["no topic", { topics: [] }],
    ["an unknown topic", { topics: ["gossip"] }],
    ["another frequency", { frequency: "hourly" }],
  ])("with %s are refused", async (_what, change) => {
    const { token } = await subscribeAndConfirm(service, newAddress());
    const response = await service.post(preferences, { token, ...changed, ...change });
    expect(response.statusCode).toBe(422);
  });

  it("of an unknown subscriber are not shown", async () => {
    const token = service.manageToken(randomUUID());
    expectRefusal(await service.get(`${preferences}?token=${token}`), 404, "token_unknown");
    expectRefusal(await service.post(preferences, { token, ...changed }), 404, "token_unknown");
  });

  it("are refused for their token before their fields", async () => {
    expectRefusal(await service.post(preferences, { token: "x" }), 404, "token_unknown");
  });
});

describe("unsubscribing", () => {
  it("has effect at once, and may be repeated", async () => {
    const { subscriberId, token } = await subscribeAndConfirm(service, newAddress());
    for (let round = 0; round < 2; round += 1) {
      const response = await service.post(unsubscribe, { token });
      expect(response.statusCode).toBe(200);
      expect(response.json()).toEqual({ status: "unsubscribed" });
      expect(await service.statusOf(subscriberId)).toBe("unsubscribed");
    }
  });

  it.each([
    ["application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"],
    [
      "multipart/form-data; boundary=x",
      '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
  ])("takes one click in a mail program that posts %s", async (type, payload) => {
    const { subscriberId, token } = await subscribeAndConfirm(service, newAddress());
    const response = await service.app.inject({
      method: "POST",
      url: `${unsubscribe}?token=${token}`,
      headers: { "content-type": type, origin: "https://mail.example" },
      payload,
    });
    expect(response.statusCode).toBe(200);
    expect(await service.statusOf(subscriberId)).toBe("unsubscribed");
    const [event] = await service.ledger.sql`
      select data, meta from ledger.event where stream = ${`newsletter-${subscriberId}`}
       order by version desc limit 1`;
    expect(event?.["data"]).toBe('{"method":"one_click"}');
    expect(JSON.parse(String(event?.["meta"]))).toMatchObject({
      actor: `subscriber:${subscriberId}`,
    });
  });

  it("does not follow from opening the link, which leads to the preferences", async () => {
    const { subscriberId, token } = await subscribeAndConfirm(service, newAddress());
    const response = await service.get(`${unsubscribe}?token=${token}`);
    expect(response.statusCode).toBe(303);
    expect(response.headers["location"]).toBe(`/newsletter/preferences?token=${token}`);
    expect(response.headers["cache-control"]).toBe("no-store");
    expect(await service.statusOf(subscriberId)).toBe("confirmed");
    const odd = await service.get(`${unsubscribe}?token=%0d%0ax`);
    expect(odd.headers["location"]).toBe("/newsletter/preferences");
  });

  it("and requesting the newsletter again begins anew", async () => {
    const email = newAddress();
    const { subscriberId, token } = await subscribeAndConfirm(service, email);
    await service.post(unsubscribe, { token });
    await service.post(subscribePath, subscribeBody(email));
    expect(await service.newestMail()).toMatchObject({ subscriberId, mail: 2 });
    expect(await service.statusOf(subscriberId)).toBe("pending");
  });
});

describe("a mail provider's report", () => {
  const report = (subscriberId: string, kind: string, token = internalToken) =>
    service.post(
      "/internal/newsletter/bounces",
      { subscriberId, kind },
      { authorization: `Bearer ${token}` },
    );

  it.each([
    ["hard", 1, "bounced"],
    ["soft", 2, "confirmed"],
    ["soft", 3, "bounced"],
    ["complaint", 1, "complained"],
  ])("of kind %s, received %d times, leaves the subscriber %s", async (kind, times, status) => {
    const { subscriberId } = await subscribeAndConfirm(service, newAddress());
    for (let round = 0; round < times; round += 1) {
      const response = await report(subscriberId, kind);
      expect(response.json()).toEqual({ status: "recorded" });
    }
    expect(await service.statusOf(subscriberId)).toBe(status);
  });

  it("about an unknown subscriber changes nothing", async () => {
    const before = await service.countEvents();
    expect((await report(randomUUID(), "hard")).statusCode).toBe(200);
    expect(await service.countEvents()).toBe(before);
  });

  it("is accepted from other services only", async () => {
    expect((await report(randomUUID(), "hard", "x")).statusCode).toBe(401);
    expect((await report(randomUUID(), "loud")).statusCode).toBe(422);
  });

  it("is no form: it has neither a form's parser nor a text for visitors", async () => {
    const headers = { authorization: `Bearer ${internalToken}` };
    const form = await service.postForm("/internal/newsletter/bounces", "kind=hard", headers);
    expect(form.statusCode).toBe(415);
    expect(form.json()).not.toHaveProperty("error");
  });
});
