import { expect, it } from "vitest";

import { replayTraces } from "./replay-traces.ts";

// All of them: `npm run faults -- privacy-traces`.
it("the real service does what the model of privacy requests says, step by step", async () => {
  const replayed = await replayTraces({ states: 300, traces: 15, random: Math.random });
  expect(replayed.divergences).toEqual([]);
  expect(replayed.steps).toBeGreaterThan(15);
}, 60_000);
