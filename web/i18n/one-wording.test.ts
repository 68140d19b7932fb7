import { expect, test } from "vitest";

import consentEn from "./en/consent-settings.json" with { type: "json" };
import cookiesEn from "./en/cookie-policy.json" with { type: "json" };
import consentHe from "./he/consent-settings.json" with { type: "json" };
import cookiesHe from "./he/cookie-policy.json" with { type: "json" };

test.each([
  ["en", consentEn, cookiesEn],
  ["he", consentHe, cookiesHe],
])(
  "the cookie settings and the cookie policy describe necessary storage alike, in %s",
  (_, settings, policy) => {
    expect(settings.essential.body).toBe(policy.sections.essential.body);
  },
);
