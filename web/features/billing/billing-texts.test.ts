import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { instantText } from "../instant-text.ts";
import { dayBefore, lastDayUntil, moneyText, rateText } from "./billing-texts.ts";
import { checkoutPath, choiceInQuery } from "./checkout/choice-in-query.ts";

describe("amounts", () => {
  test("have their symbol first and all digits of the minor unit", () => {
    expect(moneyText({ amount: 2000, currency: "USD" })).toBe("$20.00");
    expect(moneyText({ amount: -505, currency: "USD" })).toBe("-$5.05");
    expect(moneyText({ amount: 500, currency: "JPY" })).toBe("¥500");
    expect(moneyText({ amount: 1234, currency: "KWD" })).toMatch(/1\.234$/u);
  });

  test("are exactly the minor units, for every amount", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), (amount) => {
        const digits = moneyText({ amount, currency: "USD" }).replaceAll(/[^\d-]/gu, "");
        expect(Number(digits)).toBe(amount);
      }),
    );
  });

  test("a rate has no digits that it does not need", () => {
    expect([rateText(1800), rateText(1750), rateText(25)]).toEqual(["18%", "17.5%", "0.25%"]);
  });
});

describe("days", () => {
  test.each([
    ["2026-03-01", "2026-02-28"],
    ["2028-03-01", "2028-02-29"],
    ["2026-01-01", "2025-12-31"],
  ])("the day before %s is %s", (day, before) => {
    expect(dayBefore(day)).toBe(before);
  });

  test("an instant is read on the clock of its zone", () => {
    const instant = "2026-03-24T21:59:59.000Z";
    expect(instantText("en", instant, "Asia/Jerusalem")).toContain("March 24, 2026");
    expect(instantText("en", instant, "Asia/Tokyo")).toContain("March 25, 2026");
    expect(instantText("he", instant, "Asia/Jerusalem")).toContain("23:59");
  });
});

test.each([
  ["2026-03-31T21:00:00.000Z", "Asia/Jerusalem", "2026-03-31"],
  ["2026-03-31T21:00:00.000Z", "UTC", null],
  ["2026-01-20T00:00:00.000Z", "UTC", "2026-01-19"],
])("access until %s in %s ends with the day %s", (instant, zone, day) => {
  expect(lastDayUntil(instant, zone)).toBe(day);
});

describe("the address of a checkout", () => {
  test("names its choice", () => {
    const choices = fc.record({
      plan: fc.constantFrom("essential" as const, "premium" as const),
      cycle: fc.constantFrom("monthly" as const, "annual" as const),
    });
    fc.assert(
      fc.property(choices, (choice) => {
        const { searchParams } = new URL(checkoutPath(choice), "http://site");
        expect(choiceInQuery(searchParams)).toEqual(choice);
      }),
    );
  });

  test("with anything else means the cheapest paid plan, monthly", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(text !== "premium" && text !== "annual");
        const query = new URLSearchParams({ plan: text, cycle: text });
        expect(choiceInQuery(query)).toEqual({ plan: "essential", cycle: "monthly" });
      }),
    );
  });
});
