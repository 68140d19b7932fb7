import type { NewsletterEvent } from "@pro-talent/schemas/newsletter/events";
import type { SubscriberState } from "@pro-talent/schemas/newsletter/subscriber-state";
import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type NewsletterCommand, newsletterDecider } from "./decider.ts";
import {
  bounced,
  commands,
  complained,
  confirmed,
  confirms,
  dayMs,
  erased,
  preferencesChanged,
  requested,
  requests,
  resent,
  softBounced,
  start,
  unsubscribed,
} from "./testing/histories.ts";

const command: fc.Arbitrary<NewsletterCommand> = fc.oneof(
  fc.constantFrom(...commands),
  fc.constant({ ...requests, language: "he" as const }),
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
const departed = ["unsubscribed", "bounced", "complained"];

type Step = {
  event: NewsletterEvent;
  before: SubscriberState;
  after: SubscriberState;
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
      const after = newsletterDecider.evolve(state, event, now);
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
  it("no subscriber is confirmed twice without a request in between", () => {
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

  it("no address is sent more than three confirmation mails within a day", () => {
    fc.assert(
      rule((history) => {
        const times = history.flatMap(({ event }) =>
          "requestedAt" in event.data && event.type !== "PreferencesLinkRequested"
            ? [event.data.requestedAt]
            : [],
        );
        for (const [index, time] of times.entries()) {
          const third = times[index - 3];
          expect(third === undefined || time >= instantPlus(third, dayMs)).toBe(true);
        }
      }),
      often,
    );
  });

  it("an erasure is the last event", () => {
    fc.assert(
      rule((history) => {
        const end = history.findIndex(({ event }) => event.type === "SubscriberErased");
        expect([-1, history.length - 1]).toContain(end);
      }),
      often,
    );
  });

  it("no subscriber is erased who confirmed and has not left", () => {
    fc.assert(
      rule((history) => {
        const beforeErasure = history.flatMap(({ event, before }) =>
          event.type === "SubscriberErased" ? [before] : [],
        );
        for (const before of beforeErasure) {
          const left = departed.includes(before.status);
          expect(before).toMatchObject(left ? {} : { status: "pending", proven: false });
        }
      }),
      often,
    );
  });

  it("a subscriber who left, complained or cannot be reached comes back only by a request, or because the bounce was wrong", () => {
    fc.assert(
      rule((history) => {
        for (const { event, before } of history) {
          if (!departed.includes(before.status)) continue;
          const ways = ["SubscriptionRequested", "SubscriberErased"];
          if (before.status === "bounced") ways.push("BounceWithdrawn");
          // What became of mails that were sent before.
          expect([...ways, "MailAccepted", "MailDelivered"]).toContain(event.type);
        }
      }),
      often,
    );
  });
});

it("any events in any order can be read", () => {
  const event: fc.Arbitrary<NewsletterEvent> = fc.oneof(
    fc.constantFrom(
      confirmed,
      preferencesChanged,
      unsubscribed,
      bounced,
      softBounced,
      complained,
      erased,
    ),
    fc.nat(9).map((mail) => requested(mail + 1)),
    fc.nat(9).map((mail) => resent(mail + 1)),
  );
  fc.assert(
    fc.property(fc.array(event), (events) => {
      const state = events.reduce(
        (before, next) => newsletterDecider.evolve(before, next, start),
        newsletterDecider.initialState,
      );
      const status = events.length === 0 ? "none" : state.status;
      expect(state.status).toBe(status);
    }),
  );
});
