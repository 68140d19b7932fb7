import { expect, it } from "vitest";

import { deliverAnyhow } from "./deliveries.ts";
import { replayTraces } from "./replay-traces.ts";

// All of them: `npm run faults -- privacy-traces`.
it("the real service does what the model of privacy requests says, step by step", async () => {
  const replayed = await replayTraces({ states: 150, traces: 6, random: Math.random });
  expect(replayed.divergences).toEqual([]);
  expect(replayed.steps).toBeGreaterThan(0);
}, 60_000);

// Many more requests: `npm run faults -- privacy --only deliveries`.
it("work that is delivered up to five times, in any order or never, is done once, and every request ends", async () => {
  const { wrong, deliveries, lost } = await deliverAnyhow({ requests: 2, random: Math.random });
  expect(wrong).toEqual([]);
  expect([deliveries > 0, lost > 0]).toEqual([true, true]);
}, 60_000);
