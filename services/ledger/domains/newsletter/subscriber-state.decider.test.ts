import type { SubscriberState } from "@pro-talent/schemas/newsletter/subscriber-state";
import { expect, it } from "vitest";

import { ignoredFixtures } from "../../kernel/testing/frozen-fixtures.ts";
import { newsletterDecider } from "./decider.ts";
import { newsletterEvents } from "./subscribers.ts";
import {
  bounced,
  complained,
  confirmed,
  preferencesChanged,
  resent,
  start,
  unsubscribed,
} from "./testing/histories.ts";

it("an event that does not fit changes nothing", () => {
  for (const event of [
    confirmed,
    preferencesChanged,
    unsubscribed,
    bounced,
    complained,
    resent(7),
  ]) {
    expect(newsletterDecider.evolve({ status: "none" }, event, start)).toEqual({ status: "none" });
    const over: SubscriberState = { status: "erased", asked: null, erasedAt: start };
    expect(newsletterDecider.evolve(over, event, start)).toBe(over);
  }
});

it("every event that was ever stored changes a state", () => {
  const fixtures = `${import.meta.dirname}/fixtures`;
  expect(ignoredFixtures(fixtures, newsletterEvents, newsletterDecider)).toEqual([]);
});
