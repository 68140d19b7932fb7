import type {
  NewsletterCommand,
  RequestSubscription,
} from "@pro-talent/schemas/newsletter/commands";
import type { NewsletterEvent } from "@pro-talent/schemas/newsletter/events";
import { instantPlus } from "@pro-talent/schemas/primitives/instant";
import { describe, expect, it } from "vitest";

import { specification } from "../event-store/testing/given.ts";
import { newsletterDecider, type NewsletterRefusalCode } from "./decider.ts";
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
  forgotten,
  givenUp,
  histories,
  type HistoryName,
  hourMs,
  leaves,
  left,
  requested,
  resends,
  resent,
  start,
} from "./testing/histories.ts";

/** What has happened since the start, and how long ago that was. */
const given = (afterMs: number, events: readonly NewsletterEvent[]) =>
  specification(newsletterDecider, instantPlus(start, afterMs))(events);

/** What follows: events, a refusal, or nothing. */
type Follows = NewsletterEvent | NewsletterRefusalCode | "quiet";
type Row = Readonly<Record<HistoryName, Follows>>;

const again = requested(2, hourMs);
/** Every command in every state, one hour after the first request unless it says otherwise. */
const matrix: readonly [name: string, command: NewsletterCommand, row: Row][] = [
  [
    "asking to be written to",
    asks,
    {
      nobody: requested(1, hourMs),
      asked: resent(2, hourMs),
      confirmed: "already_subscribed",
      left: again,
      "left before confirming": again,
      bounced: again,
      "bounced before confirming": again,
      complained: again,
      erased: "subscriber_erased",
    },
  ],
  [
    "asking for another mail",
    resends,
    {
      nobody: "link_unknown",
      asked: resent(2, hourMs),
      confirmed: "link_used",
      left: "link_used",
      "left before confirming": "link_used",
      bounced: "link_used",
      "bounced before confirming": "link_used",
      complained: "link_used",
      erased: "link_unknown",
    },
  ],
  [
    "confirming",
    confirms(1),
    {
      nobody: "link_unknown",
      asked: confirmed,
      confirmed: "link_used",
      left: "link_used",
      "left before confirming": "link_used",
      bounced: "link_used",
      "bounced before confirming": "link_used",
      complained: "link_used",
      erased: "link_unknown",
    },
  ],
  ["changing the preferences", changes, { ...whoeverIsConfirmed(changed), nobody: "link_unknown" }],
  ["leaving", leaves, whoeverIsWrittenTo(left)],
  ["a mail that is refused for good", bounces, whoeverIsWrittenTo(bounced)],
  ["a mail that is refused for now", delays, whoeverIsWrittenTo(delayed)],
  ["a complaint", complains, whoeverIsWrittenTo(complained)],
  ["erasing what nobody confirmed, too early", erases, whoeverIsConfirmed("quiet")],
  [
    "erasing those who are not written to any more",
    forgets,
    {
      ...whoeverIsConfirmed("quiet"),
      left: forgotten,
      "left before confirming": forgotten,
      bounced: givenUp,
      "bounced before confirming": givenUp,
      complained: forgotten,
    },
  ],
];

function whoeverIsConfirmed(follows: Follows): Row {
  const quiet = "quiet";
  return {
    nobody: quiet,
    asked: quiet,
    confirmed: follows,
    left: quiet,
    "left before confirming": quiet,
    bounced: quiet,
    "bounced before confirming": quiet,
    complained: quiet,
    erased: quiet,
  };
}

function whoeverIsWrittenTo(follows: Follows): Row {
  return { ...whoeverIsConfirmed(follows), asked: follows };
}

function expectFollows(said: ReturnType<ReturnType<typeof given>["when"]>, follows: Follows): void {
  if (follows === "quiet") said.thenStaysQuiet();
  else if (typeof follows === "string") said.thenRefuses(follows);
  else said.then([follows]);
}

describe.each(matrix)("%s", (_name, command, row) => {
  const cases: [string, Follows][] = Object.entries(row);
  it.each(cases)("by or about somebody who is: %s", (name, follows) => {
    const events = Object.entries(histories).find(([history]) => history === name)?.[1] ?? [];
    expectFollows(given(hourMs, events).when(command), follows);
  });
});

describe("who asks again before confirming", () => {
  const otherwise: readonly [string, Partial<RequestSubscription>][] = [
    ["another language", { language: "he" }],
    ["another rhythm", { frequency: "monthly" }],
    ["other topics", { topics: ["launch"] }],
    ["another form", { sourceContext: "signup_page" }],
    ["other tags", { tags: ["waitlist"] }],
    ["other words", { agreed: { ...asks.agreed, version: null, textHash: "b".repeat(64) } }],
  ];
  it.each(otherwise)("with %s gets what was wished for last", (_what, change) => {
    given(hourMs, [requested()])
      .when({ ...asks, ...change })
      .then([requested(2, hourMs, { ...change })]);
  });

  it("with the same topics in another order has not wished for anything else", () => {
    given(hourMs, [requested()])
      .when({ ...asks, topics: ["features", "updates"] })
      .then([resent(2, hourMs)]);
  });
});

describe("a confirmation mail", () => {
  const three = [requested(1), resent(2, hourMs), resent(3, 2 * hourMs)];

  it("is sent three times a day and not a fourth time, and nobody is told", () => {
    given(3 * hourMs, three)
      .when(asks)
      .thenStaysQuiet();
    given(3 * hourMs, three)
      .when({ ...asks, language: "he" })
      .thenStaysQuiet();
  });

  it("is refused to the holder of a link beyond that, who is told", () => {
    given(3 * hourMs, three)
      .when(resends)
      .thenRefuses("rate_limited");
  });

  it("is sent again once a day has passed since the first", () => {
    given(dayMs - 1, three)
      .when(asks)
      .thenStaysQuiet();
    given(dayMs, three)
      .when(asks)
      .then([resent(4, dayMs)]);
    given(dayMs, three)
      .when(resends)
      .then([resent(4, dayMs)]);
  });

  it("is not had more often by leaving or bouncing in between", () => {
    const history = [requested(1), bounced, requested(2), bounced, requested(3), bounced];
    given(hourMs, history).when(asks).thenStaysQuiet();
  });
});

describe("the link of a confirmation mail", () => {
  it("works until two days have passed", () => {
    given(48 * hourMs - 1, [requested()])
      .when(confirms(1))
      .then([confirmed]);
    given(48 * hourMs, [requested()])
      .when(confirms(1))
      .thenRefuses("link_expired");
  });

  it("ends with the next mail", () => {
    const history = [requested(), resent(2)];
    given(0, history).when(confirms(1)).thenRefuses("link_expired");
    given(0, history).when(confirms(2)).then([confirmed]);
  });

  it("of a mail that was never sent is unknown", () => {
    given(0, [requested()]).when(confirms(2)).thenRefuses("link_unknown");
  });

  it("of an earlier subscription does not confirm a new one", () => {
    const history = [requested(1), confirmed, left, requested(2)];
    given(0, history).when(confirms(1)).thenRefuses("link_expired");
  });

  it("of a lapsed mail still brings a new mail", () => {
    given(72 * hourMs, [requested()])
      .when(resends)
      .then([resent(2, 72 * hourMs)]);
  });
});

describe("mails that are refused for now", () => {
  it("end the subscription the third time in a row", () => {
    const history = [requested(), confirmed, delayed, delayed];
    given(0, history).when(delays).then([bounced]);
  });

  it("are counted anew after a sign of life", () => {
    const history = [requested(), confirmed, delayed, delayed, changed];
    given(0, history).when(delays).then([delayed]);
  });
});

describe("thirty days after the last request", () => {
  const month = 30 * dayMs;

  it.each(["asked", "left before confirming", "bounced before confirming"] as const)(
    "somebody who is: %s is erased",
    (name) => given(month, histories[name]).when(erases).then([erased]),
  );

  it.each(["nobody", "confirmed", "left", "bounced", "complained", "erased"] as const)(
    "somebody who is: %s is not",
    (name) => given(month, histories[name]).when(erases).thenStaysQuiet(),
  );

  it("counts from the last mail that was asked for", () => {
    given(month, [requested(), resent(2, dayMs)])
      .when(erases)
      .thenStaysQuiet();
    given(31 * dayMs, [requested(), resent(2, dayMs)])
      .when(erases)
      .then([erased]);
  });

  it("and not a moment before", () => {
    given(30 * dayMs - 1, [requested()])
      .when(erases)
      .thenStaysQuiet();
  });
});

describe("preferences that change nothing", () => {
  it("are not recorded", () => {
    const { language, frequency, topics } = asks;
    given(0, [requested(), confirmed])
      .when({ type: "ChangePreferences", language, frequency, topics: topics.toReversed() })
      .thenStaysQuiet();
  });
});

it("a fact that does not fit changes nothing", () => {
  for (const event of [confirmed, changed, left, bounced, complained, resent(7)]) {
    expect(newsletterDecider.evolve({ status: "none" }, event)).toEqual({ status: "none" });
    const over: SubscriptionState = { status: "erased", asked: null };
    expect(newsletterDecider.evolve(over, event)).toBe(over);
  }
});
