import { SubscribeRequest } from "@pro-talent/schemas/newsletter/calls";
import { describe, expect, test } from "vitest";

import en from "../../i18n/en/newsletter.json" with { type: "json" };
import he from "../../i18n/he/newsletter.json" with { type: "json" };
import { outcomeOf, subscribe, subscriptionBody } from "./subscribe-call.ts";
import type { Wish } from "./subscription.ts";

const wish: Wish = {
  entry: { email: " noa@example.com ", consent: true, website: "" },
  shown: { language: "en", consentText: en.consent.text },
};

describe("the call of a subscription", () => {
  test.each(["footer_form", "signup_page"] as const)("from %s keeps the contract", (source) => {
    const body = subscriptionBody(wish, source);
    expect(SubscribeRequest.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      email: "noa@example.com",
      language: "en",
      sourceContext: source,
      consentText:
        "I agree to receive newsletter updates and accept the Privacy Policy and Terms of Service.",
    });
  });

  test("tells the platform when a program filled in the field that people do not see", () => {
    const entry = { ...wish.entry, website: "https://spam.example" };
    expect(subscriptionBody({ ...wish, entry }, "footer_form").website).toBe(entry.website);
    expect(subscriptionBody(wish, "footer_form")).not.toHaveProperty("website");
  });

  test("goes to the path of the specification, and its answer is the outcome", async () => {
    const paths: string[] = [];
    const api = {
      post: async (path: string) => {
        paths.push(path);
        return { ok: true, status: 200, body: { status: "confirmation_sent" } };
      },
    };
    expect(await subscribe(api, wish, "footer_form")).toEqual({ kind: "subscribed" });
    expect(paths).toEqual(["/api/newsletter/subscribe"]);
  });
});

describe("the answer to a subscription", () => {
  test.each([
    [200, {}, { kind: "subscribed" }],
    [202, undefined, { kind: "subscribed" }],
    [200, { status: "already_subscribed" }, { kind: "already" }],
    [409, { status: "already_subscribed" }, { kind: "already" }],
    [409, { error: "Email already subscribed" }, { kind: "already" }],
    [400, { error: "Already subscribed." }, { kind: "already" }],
    [422, { error: "Not an address" }, { kind: "refused", text: "Not an address" }],
    [500, { error: "  " }, { kind: "refused" }],
    [500, { error: { code: 1 } }, { kind: "refused" }],
    [503, undefined, { kind: "refused" }],
  ])("%i with %j means %j", (status, body, outcome) => {
    expect(outcomeOf({ ok: status < 300, status, body })).toEqual(outcome);
  });

  test("is shown in part when it is endless", () => {
    const outcome = outcomeOf({ ok: false, status: 400, body: { error: "a".repeat(5000) } });
    expect(outcome).toEqual({ kind: "refused", text: "a".repeat(300) });
  });
});

describe.each([
  ["English", en],
  ["Hebrew", he],
])("the consent text in %s", (_, words) => {
  test("holds the names of both documents, so that they become links", () => {
    expect(words.consent.text).toContain(words.consent.privacy);
    expect(words.consent.text).toContain(words.consent.terms);
  });
});
