import { expect, it } from "vitest";

import { simulate } from "./testing/simulate.ts";

/** The suite plays a sample; `npm run faults -- billing` plays 100,000. */
const sequences = 60;

it("whatever happens in ten years: never charged twice, never without a reminder, both books equal", async () => {
  const broken: string[] = [];
  for (let seed = 1; seed <= sequences; seed += 1) broken.push(...(await simulate(seed)).broken);
  expect(broken).toEqual([]);
});
