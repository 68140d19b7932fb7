import { randomUUID } from "node:crypto";

import { newsletterPaths, subscribePath } from "@pro-talent/schemas/newsletter/categories";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { expectRefusal } from "./testing/expect-refusal.ts";
import {
  internalToken,
  manageToken,
  type NewsletterService,
  openNewsletterService,
  subscribeAndConfirm,
  wish,
} from "./testing/newsletter-service.ts";

let service: NewsletterService;
beforeAll(async () => {
  service = await openNewsletterService();
});
afterAll(() => service.close());

const { preferences, unsubscribe } = newsletterPaths;
const newAddress = (): string => `reader-${randomUUID()}@example.com`;
const subscribe = (email: string) => service.post(subscribePath, wish(email));
const statusOf = async (subscriberId: string): Promise<unknown> => {
  const rows = await service.ledger.sql`
    select status from ledger.newsletter_subscriber where subscriber_id = ${subscriberId}`;
  return rows[0]?.["status"];
};
const eventsIn = async (): Promise<number> =>
  (await service.ledger.sql`select from ledger.event`).length;

describe("preferences", () => {
  const wishes = { language: "he" as Locale, frequency: "monthly", topics: ["launch"] };

  it("are shown to whoever has a newsletter mail, and changed", async () => {
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
    const changed = await service.post(preferences, { token, ...wishes });
    expect(changed.json()).toEqual({ status: "subscribed", email, ...wishes });
    expect(
      await service.ledger.sql`
      select language, frequency, topics from ledger.newsletter_subscriber
       where subscriber_id = ${subscriberId}`,
    ).toEqual([{ ...wishes, topics: "launch" }]);
  });

  it("of somebody who has left are shown, and changing them does not bring anybody back", async () => {
    const { subscriberId, token } = await subscribeAndConfirm(service, newAddress());
    await service.post(unsubscribe, { token });
    const answer = await service.post(preferences, { token, ...wishes });
    expect(answer.json()).toMatchObject({ status: "unsubscribed", language: "en" });
    expect(await statusOf(subscriberId)).toBe("unsubscribed");
  });

  it.each([
    ["no topic", { topics: [] }],
    ["an unknown topic", { topics: ["gossip"] }],
    ["another rhythm", { frequency: "hourly" }],
  ])("with %s are refused", async (_what, change) => {
    const { token } = await subscribeAndConfirm(service, newAddress());
    const response = await service.post(preferences, { token, ...wishes, ...change });
    expect(response.statusCode).toBe(422);
  });

  it("of nobody are not shown", async () => {
    const token = manageToken(randomUUID());
    await expectRefusal(await service.get(`${preferences}?token=${token}`), 404, "link_unknown");
    await expectRefusal(await service.post(preferences, { token, ...wishes }), 404, "link_unknown");
  });
});

describe("leaving", () => {
  it("is at once, and may be repeated", async () => {
    const { subscriberId, token } = await subscribeAndConfirm(service, newAddress());
    for (let round = 0; round < 2; round += 1) {
      const response = await service.post(unsubscribe, { token });
      expect(response.statusCode).toBe(200);
      expect(response.json()).toEqual({ status: "unsubscribed" });
      expect(await statusOf(subscriberId)).toBe("unsubscribed");
    }
  });

  it.each([
    ["application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"],
    [
      "multipart/form-data; boundary=x",
      '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
  ])("is one click in a mail program that posts %s", async (type, payload) => {
    const { subscriberId, token } = await subscribeAndConfirm(service, newAddress());
    const response = await service.app.inject({
      method: "POST",
      url: `${unsubscribe}?token=${token}`,
      headers: { "content-type": type, origin: "https://mail.example" },
      payload,
    });
    expect(response.statusCode).toBe(200);
    expect(await statusOf(subscriberId)).toBe("unsubscribed");
    const [event] = await service.ledger.sql`
      select data from ledger.event where stream = ${`newsletter-${subscriberId}`}
       order by version desc limit 1`;
    expect(event?.["data"]).toBe('{"method":"one_click"}');
  });

  it("is not done by opening the link: that leads to the preferences", async () => {
    const { subscriberId, token } = await subscribeAndConfirm(service, newAddress());
    const response = await service.get(`${unsubscribe}?token=${token}`);
    expect(response.statusCode).toBe(303);
    expect(response.headers["location"]).toBe(`/newsletter/preferences?token=${token}`);
    expect(await statusOf(subscriberId)).toBe("confirmed");
    const odd = await service.get(`${unsubscribe}?token=%0d%0ax`);
    expect(odd.headers["location"]).toBe("/newsletter/preferences");
  });

  it("and asking again begins anew", async () => {
    const email = newAddress();
    const { subscriberId, token } = await subscribeAndConfirm(service, email);
    await service.post(unsubscribe, { token });
    await subscribe(email);
    const next = await service.newestMail();
    expect(next).toMatchObject({ subscriberId, mail: 2 });
    expect(await statusOf(subscriberId)).toBe("pending");
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
  ])("that is %s, %d times, leaves the reader %s", async (kind, times, status) => {
    const { subscriberId } = await subscribeAndConfirm(service, newAddress());
    for (let round = 0; round < times; round += 1) {
      const response = await report(subscriberId, kind);
      expect(response.json()).toEqual({ status: "recorded" });
    }
    expect(await statusOf(subscriberId)).toBe(status);
  });

  it("about nobody changes nothing", async () => {
    const before = await eventsIn();
    expect((await report(randomUUID(), "hard")).statusCode).toBe(200);
    expect(await eventsIn()).toBe(before);
  });

  it("is taken from other services only", async () => {
    expect((await report(randomUUID(), "hard", "x")).statusCode).toBe(401);
    expect((await report(randomUUID(), "loud")).statusCode).toBe(422);
  });
});
