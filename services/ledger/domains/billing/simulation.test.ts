import { env as environment } from "node:process";

import { expect, it } from "vitest";

import { simulate } from "./testing/simulate.ts";

/** `BILLING_SEQUENCES=100000` plays as many, from `BILLING_SEED` on; the suite plays a sample. */
const sequences = Number(environment["BILLING_SEQUENCES"] ?? 60);
const seed = Number(environment["BILLING_SEED"] ?? 1);
const stepsOfTenYears = 60;

it(
  "whatever happens in ten years: never charged twice, never without a reminder, both books equal",
  { timeout: 6 * 60 * 60 * 1000 },
  async () => {
    const broken: string[] = [];
    for (let index = 0; index < sequences && broken.length < 5; index += 1) {
      broken.push(...(await simulate(seed + index, stepsOfTenYears)));
    }
    expect(broken).toEqual([]);
  },
);
