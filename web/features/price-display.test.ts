import { plans } from "@pro-talent/schemas/subscription/plans";
import { expect, test } from "vitest";

import { amountText, displayPrice, isBillingPeriod } from "./price-display.ts";

const [free, essential, premium] = plans;

test("billed every month, a month of essential is $10", () => {
  expect(displayPrice(essential, "monthly", "en").month).toBe("$10");
});

test("billed for a year, a month of essential is $8, the year $96, the saving 20 per cent", () => {
  expect(displayPrice(essential, "annual", "en")).toEqual({
    month: "$8",
    annualMonth: "$8",
    annualTotal: "$96",
    discount: 20,
  });
});

test("premium saves its own 25 per cent", () => {
  expect(displayPrice(premium, "annual", "en")).toMatchObject({
    month: "$15",
    annualTotal: "$180",
    discount: 25,
  });
});

test("free costs $0 in both periods", () => {
  expect(displayPrice(free, "monthly", "en").month).toBe("$0");
  expect(displayPrice(free, "annual", "en").month).toBe("$0");
});

test("the symbol precedes the figure in Hebrew too, without any direction marks", () => {
  expect(displayPrice(premium, "annual", "he").annualTotal).toBe("$180");
  expect(amountText("he", "$", 1200)).toBe("$1,200");
});

test("only the two billing periods are billing periods", () => {
  expect(["monthly", "annual", "weekly", ""].filter(isBillingPeriod)).toEqual([
    "monthly",
    "annual",
  ]);
});
