import { randomUUID } from "node:crypto";

import { newsletterPaths, subscribePath } from "@pro-talent/schemas/newsletter/categories";
import { locales } from "@pro-talent/schemas/primitives/locale";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { hourMs } from "./testing/histories.ts";
import {
  browserOf,
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

const { confirm, resend, preferences, unsubscribe } = newsletterPaths;
const newAddress = (): string => `reader-${randomUUID()}@example.com`;
const subscribe = (email: string, change = {}, headers = {}) =>
  service.post(subscribePath, subscribeBody(email, change), headers);

describe("a request for the newsletter", () => {
  it("leads to a confirmation mail", async () => {
    const response = await subscribe(newAddress());
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ status: "confirmation_sent" });
    expect(response.headers["cache-control"]).toBe("no-store");
    const { subscriberId, mail } = await service.newestMail();
    expect(mail).toBe(1);
    expect(await service.statusOf(subscriberId)).toBe("pending");
  });

  it("repeated at the same moment for one address makes one subscriber", async () => {
    const email = newAddress();
    const before = (await service.messages()).length;
    const spellings = [email, email.toUpperCase(), ` ${email} `, email];
    const answers = await Promise.all(spellings.map((spelling) => subscribe(spelling)));
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200]);
    const messages = (await service.messages()).slice(before);
    expect(new Set(messages.map(({ payload }) => payload.subscriberId)).size).toBe(1);
    expect(messages.map(({ payload }) => payload.mail)).toEqual([1, 2, 3]);
  });

  it("that is repeated under one key leads to one mail", async () => {
    const before = (await service.messages()).length;
    const email = newAddress();
    const headers = { "idempotency-key": randomUUID() };
    const first = await subscribe(email, {}, headers);
    const again = await subscribe(email, {}, headers);
    expect(again.body).toBe(first.body);
    expect((await service.messages()).length).toBe(before + 1);
    expect((await subscribe(newAddress(), {}, headers)).json()).toMatchObject({
      code: "command_mismatch",
    });
  });

  it.each([
    ["en", "This email is already subscribed."],
    ["he", "הכתובת הזאת כבר רשומה לניוזלטר."],
  ] as const)("of a subscriber is refused, in %s", async (language, error) => {
    const email = newAddress();
    await subscribeAndConfirm(service, email);
    const response = await subscribe(email, { language });
    expect(response.statusCode).toBe(409);
    expect(response.headers["content-type"]).toMatch(/^application\/json\b/);
    expect(response.json()).toEqual({ status: "already_subscribed", error });
  });

  it.each([
    ["en", "Please enter a valid email address"],
    ["he", "נא להזין כתובת דוא״ל תקינה"],
  ] as const)("with a mistyped address is refused with a text, in %s", async (language, error) => {
    const response = await subscribe("noa@example", { language });
    expect(response.statusCode).toBe(422);
    expect(response.headers["content-type"]).toMatch(/^application\/problem\+json\b/);
    expect(response.json()).toMatchObject({
      code: "invalid_body",
      errors: [{ pointer: "/email" }],
      error,
    });
    expect(response.body).not.toContain("noa@example");
  });

  it.each(["a..b@example.org", ".a@example.org", "a@example.org.", "a@-example.org", '"a"@b.org'])(
    "with an address that no mail can be sent to, %s, is refused at that field",
    async (email) => {
      const response = await subscribe(email);
      expect(response.statusCode).toBe(422);
      expect(response.json()).toMatchObject({ errors: [{ pointer: "/email" }] });
    },
  );

  it("beyond the day's mails is answered the same, and leads to no mail", async () => {
    const email = newAddress();
    for (let round = 0; round < 3; round += 1) await subscribe(email);
    const before = (await service.messages()).length;
    const fourth = await subscribe(email, { language: "he" });
    expect(fourth.json()).toEqual({ status: "confirmation_sent" });
    expect((await service.messages()).length).toBe(before);
  });

  it("by a program that fills in the honeypot is answered the same and is not recorded", async () => {
    const [events, before] = [await service.countEvents(), (await service.messages()).length];
    const response = await subscribe(newAddress(), { website: "https://spam.example" });
    expect(response.json()).toEqual({ status: "confirmation_sent" });
    expect(await service.countEvents()).toBe(events);
    expect((await service.messages()).length).toBe(before);
  });

  it.each([
    ["no JSON", "{", 400],
    ["a list", "[]", 422],
    ["prototype keys", '{"__proto__": {}}', 400],
    ["more than 8 kB", JSON.stringify({ email: "a".repeat(9000) }), 413],
  ])("that is %s is refused, with a text", async (_what, payload, status) => {
    const headers = { "content-type": "application/json" };
    const response = await service.app.inject({
      method: "POST",
      url: subscribePath,
      headers,
      payload,
    });
    expect(response.statusCode).toBe(status);
    expect(response.json()).toHaveProperty("error", expect.stringMatching(/\w/));
  });
});

describe("the token of a confirmation mail", () => {
  it("confirms once, and the answer names the address", async () => {
    const email = newAddress();
    await subscribe(email);
    const { subscriberId, token } = await service.newestMail();
    const first = await service.post(confirm, { token });
    expect(first.statusCode).toBe(200);
    expect(first.json()).toEqual({ status: "confirmed", email });
    expect(await service.statusOf(subscriberId)).toBe("confirmed");
    expect((await service.messages()).at(-1)).toEqual({
      name: "newsletter.welcome",
      payload: { subscriberId },
    });
    expectRefusal(await service.post(confirm, { token }), 409, "token_used");
    expectRefusal(await service.post(resend, { token }), 409, "token_used");
  });

  it("that is used at the same moment confirms once", async () => {
    await subscribe(newAddress());
    const { token } = await service.newestMail();
    const answers = await Promise.all([1, 2, 3].map(() => service.post(confirm, { token })));
    expect(answers.map((answer) => String(answer.statusCode)).toSorted()).toEqual([
      "200",
      "409",
      "409",
    ]);
  });

  it("is not used up by a program that looks into links", async () => {
    await subscribe(newAddress());
    const { subscriberId, token } = await service.newestMail();
    const before = await service.countEvents();
    for (const path of Object.values(newsletterPaths)) {
      for (const method of ["GET", "HEAD", "OPTIONS"] as const) {
        const url = `${path}?token=${path === confirm ? token : service.manageToken(subscriberId)}`;
        await service.app.inject({ method, url });
      }
    }
    expect((await service.get(`${confirm}?token=${token}`)).statusCode).toBe(404);
    expect(await service.countEvents()).toBe(before);
    expect((await service.post(confirm, { token })).statusCode).toBe(200);
  });

  it("has expired after two days; it still requests another mail", async () => {
    await subscribe(newAddress());
    const { token } = await service.newestMail();
    service.advance(48 * hourMs);
    expectRefusal(await service.post(confirm, { token }), 410, "token_expired");
    expect((await service.post(resend, { token })).json()).toEqual({ status: "confirmation_sent" });
    const next = await service.newestMail();
    expect(next.mail).toBe(2);
    expectRefusal(await service.post(confirm, { token }), 410, "token_superseded");
    expect((await service.post(confirm, { token: next.token })).statusCode).toBe(200);
  });

  it("does not request more than the day's mails", async () => {
    await subscribe(newAddress());
    const { token } = await service.newestMail();
    await service.post(resend, { token });
    await service.post(resend, { token });
    expectRefusal(await service.post(resend, { token }), 429, "rate_limited");
  });

  it.each(["x", "no token", "A".repeat(56), "https://talent.example/"])(
    "that a mail program mangled is unknown: %s",
    async (token) => {
      expectRefusal(await service.post(confirm, { token }), 404, "token_unknown");
      expectRefusal(await service.post(resend, { token }), 404, "token_unknown");
      expectRefusal(await service.post(unsubscribe, { token }), 404, "token_unknown");
    },
  );

  it("does not open the preferences, and theirs does not confirm", async () => {
    await subscribe(newAddress());
    const { subscriberId, token } = await service.newestMail();
    expectRefusal(await service.get(`${preferences}?token=${token}`), 404, "token_unknown");
    expectRefusal(await service.post(unsubscribe, { token }), 404, "token_unknown");
    const manage = service.manageToken(subscriberId);
    expectRefusal(await service.post(confirm, { token: manage }), 404, "token_unknown");
  });

  it("is required", async () => {
    for (const body of [{}, { token: 7 }, [], null]) {
      expect((await service.post(confirm, body)).statusCode).toBe(422);
    }
  });

  it.each(locales)("is refused with a text in the visitor's language: %s", async (language) => {
    const response = await service.post(confirm, { token: "x" }, browserOf(language));
    const { error } = response.json<{ error: string }>();
    expect(/[א-ת]/.test(error)).toBe(language === "he");
  });
});
