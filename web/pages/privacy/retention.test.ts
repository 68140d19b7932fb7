import { contactLimits } from "@pro-talent/schemas/contact/limits";
import { expect, it } from "vitest";

import english from "../../i18n/en/privacy.json" with { type: "json" };
import hebrew from "../../i18n/he/privacy.json" with { type: "json" };

it.each([
  ["English", english],
  ["Hebrew", hebrew],
])("the policy in %s states how long contact messages are kept", (_language, texts) => {
  const { until } = texts.retention.rows.messages;
  expect(until).toContain(` ${contactLimits.unsettledMonths} `);
  expect(until).toContain(` ${contactLimits.settledMonths} `);
});
