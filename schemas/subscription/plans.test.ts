import { expect, test } from "vitest";

import { entitlementsOf } from "./entitlements.ts";
import { Plan, PlanCode } from "./plan.ts";
import { plans } from "./plans.ts";

test("every plan keeps the contract, and each code has one plan", () => {
  expect(plans.map((plan) => Plan.parse(plan))).toEqual(plans);
  expect(plans.map(({ code }) => code)).toEqual(PlanCode.options);
});

test.each(plans)("a year of $code costs twelve of its annual months", ({ price }) => {
  expect(price.annualTotal).toBe(price.annual * 12);
});

test.each(plans)("$code states the saving that its prices give", ({ price }) => {
  const saving = price.monthly === 0 ? 0 : (price.monthly - price.annual) / price.monthly;
  expect(price.discount).toBe(Math.round(saving * 100));
});

test("the prices are those that were decided", () => {
  expect(plans.map(({ code, price }) => [code, price.monthly, price.annual])).toEqual([
    ["free", 0, 0],
    ["essential", 10, 8],
    ["premium", 20, 15],
  ]);
});

test("premium is the one plan that is recommended", () => {
  expect(plans.filter((plan) => plan.recommended).map(({ code }) => code)).toEqual(["premium"]);
});

test("free saves a CV and downloads it by hand, in both languages", () => {
  expect([...entitlementsOf(plans[0].features)]).toEqual([
    "download-cv",
    "save-cv",
    "use-both-languages",
  ]);
});

test.each([
  [plans[0], plans[1], ["receive-cv-automatically", "publish-portfolio", "customize-portfolio"]],
  [plans[1], plans[2], ["read-link-analytics", "track-applications"]],
] as const)("$0.code is all in $1.code, which grants $2 in addition", (less, more, additional) => {
  const [had, has] = [entitlementsOf(less.features), entitlementsOf(more.features)];
  expect([...had].filter((entitlement) => !has.has(entitlement))).toEqual([]);
  expect([...has].filter((entitlement) => !had.has(entitlement))).toEqual(additional);
});
