import type { NewsletterCommand } from "@pro-talent/schemas/newsletter/commands";
import type { NewsletterEvent } from "@pro-talent/schemas/newsletter/events";
import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { newsletterDecider } from "./decider.ts";
import type { SubscriptionState } from "./subscription-state.decider.ts";
import {
  asks,
  bounced,
  bounces,
  changed,
  changes,
  complained,
  complains,
  confirmed,
  confirms,
  dayMs,
  delayed,
  delays,
  erased,
  erases,
  forgets,
  leaves,
  left,
  requested,
  resends,
  resent,
  start,
} from "./testing/histories.ts";

const command: fc.Arbitrary<NewsletterCommand> = fc.oneof(
  fc.constantFrom(asks, resends, changes, leaves, bounces, delays, complains, erases, forgets),
  fc.constant({ ...asks, language: "he" as const }),
  fc.integer({ min: 1, max: 5 }).map(confirms),
);
/** Commands with the time that passes before each: often moments, sometimes weeks. */
const story = fc.array(
  fc.record({
    command,
    waits: fc.oneof(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 40 * dayMs })),
  }),
  { maxLength: 30 },
);

type Step = {
  event: NewsletterEvent;
  before: SubscriptionState;
  after: SubscriptionState;
  now: Instant;
};

/** The accepted history that a story leads to. */
function play(steps: readonly { command: NewsletterCommand; waits: number }[]): Step[] {
  const history: Step[] = [];
  let state = newsletterDecider.initialState;
  let now = start;
  for (const step of steps) {
    now = instantPlus(now, step.waits);
    const decision = newsletterDecider.decide(step.command, state, { now });
    if ("kind" in decision) continue;
    for (const event of decision) {
      const after = newsletterDecider.evolve(state, event);
      history.push({ event, before: state, after, now });
      state = after;
    }
  }
  return history;
}

const rule = (check: (history: readonly Step[]) => void) =>
  fc.property(story, (steps) => check(play(steps)));
const often = { numRuns: 2000 };

describe("in any accepted history", () => {
  it("nobody is confirmed twice without asking in between", () => {
    fc.assert(
      rule((history) => {
        let open = false;
        for (const { event } of history) {
          if (event.type === "SubscriptionRequested") open = true;
          if (event.type !== "SubscriptionConfirmed") continue;
          expect(open).toBe(true);
          open = false;
        }
      }),
      often,
    );
  });

  it("every mail has a number of its own, one higher than the one before", () => {
    fc.assert(
      rule((history) => {
        const mails = history.flatMap(({ event }) =>
          event.type === "SubscriptionRequested" || event.type === "ConfirmationResent"
            ? [event.data.mail]
            : [],
        );
        expect(mails).toEqual(mails.map((_, index) => index + 1));
      }),
      often,
    );
  });

  it("nobody is mailed a confirmation more than three times within a day", () => {
    fc.assert(
      rule((history) => {
        const times = history.flatMap(({ event }) =>
          "requestedAt" in event.data ? [event.data.requestedAt] : [],
        );
        for (const [index, time] of times.entries()) {
          const third = times[index - 3];
          expect(third === undefined || time >= instantPlus(third, dayMs)).toBe(true);
        }
      }),
      often,
    );
  });

  it("who was erased stays erased, and nothing is recorded any more", () => {
    fc.assert(
      rule((history) => {
        const end = history.findIndex(({ event }) => event.type === "SubscriberErased");
        expect([-1, history.length - 1]).toContain(end);
      }),
      often,
    );
  });

  it("nobody is erased who confirmed and has not gone", () => {
    fc.assert(
      rule((history) => {
        const erasedAs = history.flatMap(({ event, before }) =>
          event.type === "SubscriberErased" ? [before] : [],
        );
        for (const before of erasedAs) {
          const gone = ["unsubscribed", "bounced", "complained"].includes(before.status);
          expect(before).toMatchObject(gone ? {} : { status: "pending", proven: false });
        }
      }),
      often,
    );
  });

  it("whoever left, complained or cannot be reached comes back only by asking", () => {
    fc.assert(
      rule((history) => {
        for (const { event, before } of history) {
          if (!["unsubscribed", "bounced", "complained"].includes(before.status)) continue;
          expect(["SubscriptionRequested", "SubscriberErased"]).toContain(event.type);
        }
      }),
      often,
    );
  });
});

it("any events in any order can be read", () => {
  const event: fc.Arbitrary<NewsletterEvent> = fc.oneof(
    fc.constantFrom(confirmed, changed, left, bounced, delayed, complained, erased),
    fc.nat(9).map((mail) => requested(mail + 1)),
    fc.nat(9).map((mail) => resent(mail + 1)),
  );
  fc.assert(
    fc.property(fc.array(event), (events) => {
      const state = events.reduce(newsletterDecider.evolve, newsletterDecider.initialState);
      const status = events.length === 0 ? "none" : state.status;
      expect(state.status).toBe(status);
    }),
  );
});
