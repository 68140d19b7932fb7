import { SubscribeRequest } from "@pro-talent/schemas/newsletter/calls";
import { describe, expect, test } from "vitest";

import en from "../../i18n/en/newsletter.json" with { type: "json" };
import he from "../../i18n/he/newsletter.json" with { type: "json" };
import { resultOf, subscribe, subscribeBody } from "./subscribe-call.ts";
import type { SubscribeInput } from "./subscribe.ts";

const input: SubscribeInput = {
  entry: { email: " noa@example.com ", consent: true, website: "" },
  shown: { language: "en", consentText: en.consent.text },
};

describe("the subscribe call", () => {
  test.each(["footer_form", "signup_page"] as const)("from %s keeps the contract", (source) => {
    const body = subscribeBody(input, source);
    expect(SubscribeRequest.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      email: "noa@example.com",
      language: "en",
      sourceContext: source,
      consentText:
        "I agree to receive newsletter updates and accept the Privacy Policy and Terms of Service.",
    });
  });

  test("passes on the honeypot field when a program filled it in", () => {
    const entry = { ...input.entry, website: "https://spam.example" };
    expect(subscribeBody({ ...input, entry }, "footer_form").website).toBe(entry.website);
    expect(subscribeBody(input, "footer_form")).not.toHaveProperty("website");
  });

  test("goes to the path of the specification, and its answer is the result", async () => {
    const paths: string[] = [];
    const api = {
      post: async (path: string) => {
        paths.push(path);
        return { ok: true, status: 200, body: { status: "confirmation_sent" } };
      },
    };
    expect(await subscribe(api, input, "footer_form")).toEqual({ kind: "subscribed" });
    expect(paths).toEqual(["/api/newsletter/subscribe"]);
  });
});

describe("the answer to a subscribe call", () => {
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
  ])("%i with %j means %j", (status, body, result) => {
    expect(resultOf({ ok: status < 300, status, body })).toEqual(result);
  });

  test("is shown in part when it is endless", () => {
    const result = resultOf({ ok: false, status: 400, body: { error: "a".repeat(5000) } });
    expect(result).toEqual({ kind: "refused", text: "a".repeat(300) });
  });
});

describe.each([
  ["English", en],
  ["Hebrew", he],
])("the consent text in %s", (_, texts) => {
  test("holds the names of both documents, so that they become links", () => {
    expect(texts.consent.text).toContain(texts.consent.privacy);
    expect(texts.consent.text).toContain(texts.consent.terms);
  });
});
