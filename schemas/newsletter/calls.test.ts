import { describe, expect, test } from "vitest";

import { SubscribeRequest } from "./calls.ts";
import { subscriptionDefaults } from "./categories.ts";
import { newsletterLimits } from "./limits.ts";

const request = {
  email: "noa@example.com",
  language: "he",
  sourceContext: "footer_form",
  consentText: "I agree",
};

describe("a newsletter subscription", () => {
  test("is weekly, about updates and features, without tags, unless it says otherwise", () => {
    expect(SubscribeRequest.parse(request)).toEqual({
      ...request,
      preferences: { frequency: "weekly", topics: ["updates", "features"] },
      tags: [],
    });
  });

  test("of the footer has the same preferences as one that names none", () => {
    const { preferences, tags } = SubscribeRequest.parse(request);
    expect(subscriptionDefaults.footer_form).toEqual({ preferences, tags });
  });

  test("of the signup page is about launch, updates and early birds, and tagged as waitlist", () => {
    const { preferences, tags } = subscriptionDefaults.signup_page;
    const parsed = SubscribeRequest.parse({
      ...request,
      sourceContext: "signup_page",
      preferences,
      tags,
    });
    expect(parsed.preferences.topics).toEqual(["launch", "updates", "early_bird"]);
    expect(parsed.tags).toEqual(["signup_page", "waitlist"]);
  });

  test.each([
    ["no address", { email: " " }],
    ["an address without a dot", { email: "noa@example" }],
    ["an address that no mail can be sent to", { email: "a..b@example.org" }],
    ["an address that no server carries", { email: `${"a".repeat(250)}@example.com` }],
    ["a language that the product does not have", { language: "fr" }],
    ["a place that has no form", { sourceContext: "popup" }],
    ["no consent text", { consentText: "" }],
    [
      "an endless consent text",
      { consentText: "a".repeat(newsletterLimits.consentTextCharsMax + 1) },
    ],
    ["an unknown topic", { preferences: { topics: ["gossip"] } }],
    ["a topic twice", { preferences: { topics: ["updates", "updates"] } }],
    ["an unknown tag", { tags: ["vip"] }],
  ])("with %s is refused", (_, change) => {
    expect(SubscribeRequest.safeParse({ ...request, ...change }).success).toBe(false);
  });
});
