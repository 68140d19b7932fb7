import type { NewsletterEvent } from "@pro-talent/schemas/newsletter/events";
import { instantPlus } from "@pro-talent/schemas/primitives/instant";
import { describe, it } from "vitest";

import { specification } from "../../kernel/testing/given.ts";
import {
  type NewsletterCommand,
  newsletterDecider,
  type NewsletterRefusalCode,
  type RequestSubscription,
} from "./decider.ts";
import {
  bounced,
  bounces,
  changesPreferences,
  complained,
  complains,
  confirmed,
  confirms,
  dayMs,
  erased,
  erasedDeparted,
  erasedUnreachable,
  erasesDeparted,
  erasesUnconfirmed,
  histories,
  type HistoryName,
  hourMs,
  linkRequested,
  preferencesChanged,
  requested,
  requests,
  requestsLink,
  resends,
  resent,
  softBounced,
  softBounces,
  start,
  unsubscribed,
  unsubscribes,
} from "./testing/histories.ts";

/** What has happened since the start, and how long ago that was. */
const given = (afterMs: number, events: readonly NewsletterEvent[]) =>
  specification(newsletterDecider, instantPlus(start, afterMs))(events);

/** What follows: events, a refusal, or nothing. */
type Follows = NewsletterEvent | NewsletterRefusalCode | "nothing";
type Row = Readonly<Record<HistoryName, Follows>>;

/** Nothing follows in any state but these. */
const onlyFor = (change: Partial<Row>): Row => ({
  unknown: "nothing",
  pending: "nothing",
  confirmed: "nothing",
  unsubscribed: "nothing",
  "unsubscribed before confirming": "nothing",
  bounced: "nothing",
  "bounced before confirming": "nothing",
  complained: "nothing",
  erased: "nothing",
  ...change,
});
const onlyForReachable = (event: NewsletterEvent): Row =>
  onlyFor({ pending: event, confirmed: event });
const withConfirmationToken = (whenPending: NewsletterEvent): Row => ({
  unknown: "token_unknown",
  pending: whenPending,
  confirmed: "token_used",
  unsubscribed: "token_used",
  "unsubscribed before confirming": "token_used",
  bounced: "token_used",
  "bounced before confirming": "token_used",
  complained: "token_used",
  erased: "token_unknown",
});

const again = requested(2, hourMs);
/** Every command in every state, one hour after the first request. */
const matrix: readonly [name: string, command: NewsletterCommand, row: Row][] = [
  [
    "requesting the newsletter",
    requests,
    {
      unknown: requested(1, hourMs),
      pending: resent(2, hourMs),
      confirmed: "already_subscribed",
      unsubscribed: again,
      "unsubscribed before confirming": again,
      bounced: again,
      "bounced before confirming": again,
      complained: again,
      erased: "subscriber_erased",
    },
  ],
  ["requesting another mail", resends, withConfirmationToken(resent(2, hourMs))],
  ["confirming", confirms(1), withConfirmationToken(confirmed)],
  [
    "changing the preferences",
    changesPreferences,
    onlyFor({ confirmed: preferencesChanged, unknown: "token_unknown" }),
  ],
  [
    "requesting a new link to the preferences",
    requestsLink,
    onlyFor({ confirmed: linkRequested(hourMs) }),
  ],
  ["unsubscribing", unsubscribes, onlyForReachable(unsubscribed)],
  ["a mail that is refused permanently", bounces, onlyForReachable(bounced)],
  ["a mail that is refused this time", softBounces, onlyForReachable(softBounced)],
  ["a complaint", complains, onlyForReachable(complained)],
  ["erasing unconfirmed addresses, too early", erasesUnconfirmed, onlyFor({})],
  [
    "erasing those who left or cannot be reached",
    erasesDeparted,
    onlyFor({
      unsubscribed: erasedDeparted,
      "unsubscribed before confirming": erasedDeparted,
      bounced: erasedUnreachable,
      "bounced before confirming": erasedUnreachable,
      complained: erasedDeparted,
    }),
  ],
];

function expectFollows(then: ReturnType<ReturnType<typeof given>["when"]>, follows: Follows): void {
  if (follows === "nothing") then.thenNothingChanges();
  else if (typeof follows === "string") then.thenRefuses(follows);
  else then.then([follows]);
}

describe.each(matrix)("%s", (_name, command, row) => {
  const cases: [string, Follows][] = Object.entries(row);
  it.each(cases)("when the subscriber is %s", (name, follows) => {
    const events = Object.entries(histories).find(([history]) => history === name)?.[1] ?? [];
    expectFollows(given(hourMs, events).when(command), follows);
  });
});

describe("a second request before the confirmation", () => {
  const changes: readonly [string, Partial<RequestSubscription>][] = [
    ["another language", { language: "he" }],
    ["another frequency", { frequency: "monthly" }],
    ["other topics", { topics: ["launch"] }],
    ["another form", { sourceContext: "signup_page" }],
    ["other tags", { tags: ["waitlist"] }],
    ["another text", { agreed: { ...requests.agreed, version: null, textHash: "b".repeat(64) } }],
  ];
  it.each(changes)("with %s replaces the first one", (_what, change) => {
    given(hourMs, [requested()])
      .when({ ...requests, ...change })
      .then([requested(2, hourMs, { ...change })]);
  });

  it("with the same topics in another order is the same request", () => {
    given(hourMs, [requested()])
      .when({ ...requests, topics: ["features", "updates"] })
      .then([resent(2, hourMs)]);
  });
});

describe("a confirmation mail", () => {
  const three = [requested(1), resent(2, hourMs), resent(3, 2 * hourMs)];

  it("is sent three times a day and not a fourth time, and the answer does not show it", () => {
    given(3 * hourMs, three)
      .when(requests)
      .thenNothingChanges();
    given(3 * hourMs, three)
      .when({ ...requests, language: "he" })
      .thenNothingChanges();
  });

  it("is refused to the holder of a token beyond that", () => {
    given(3 * hourMs, three)
      .when(resends)
      .thenRefuses("rate_limited");
  });

  it("is sent again once a day has passed since the first", () => {
    given(dayMs - 1, three)
      .when(requests)
      .thenNothingChanges();
    given(dayMs, three)
      .when(requests)
      .then([resent(4, dayMs)]);
    given(dayMs, three)
      .when(resends)
      .then([resent(4, dayMs)]);
  });

  it("is not sent more often after bounces in between", () => {
    const history = [requested(1), bounced, requested(2), bounced, requested(3), bounced];
    given(hourMs, history).when(requests).thenNothingChanges();
  });
});

it("a link to the preferences is mailed three times a day, and the answer does not show it", () => {
  const three = [1, 2, 3].map((hours) => linkRequested(hours * hourMs));
  const history = [requested(), confirmed, ...three];
  given(4 * hourMs, history)
    .when(requestsLink)
    .thenNothingChanges();
  given(dayMs + hourMs, history)
    .when(requestsLink)
    .then([linkRequested(dayMs + hourMs)]);
});

describe("the token of a confirmation mail", () => {
  it("works until two days have passed", () => {
    given(48 * hourMs - 1, [requested()])
      .when(confirms(1))
      .then([confirmed]);
    given(48 * hourMs, [requested()])
      .when(confirms(1))
      .thenRefuses("token_expired");
  });

  it("ends with the next mail", () => {
    const history = [requested(), resent(2)];
    given(0, history).when(confirms(1)).thenRefuses("token_superseded");
    given(0, history).when(confirms(2)).then([confirmed]);
  });

  it("of a mail that was never sent is unknown", () => {
    given(0, [requested()]).when(confirms(2)).thenRefuses("token_unknown");
  });

  it("of an earlier subscription does not confirm a new one", () => {
    const history = [requested(1), confirmed, unsubscribed, requested(2)];
    given(0, history).when(confirms(1)).thenRefuses("token_superseded");
  });

  it("still requests a new mail after it has expired", () => {
    given(72 * hourMs, [requested()])
      .when(resends)
      .then([resent(2, 72 * hourMs)]);
  });
});

describe("mails that are refused this time", () => {
  it("end the subscription the third time in a row", () => {
    const history = [requested(), confirmed, softBounced, softBounced];
    given(0, history).when(softBounces).then([bounced]);
  });

  it("are counted anew after the subscriber changed the preferences", () => {
    const history = [requested(), confirmed, softBounced, softBounced, preferencesChanged];
    given(0, history).when(softBounces).then([softBounced]);
  });
});

describe("thirty days after the last request", () => {
  const month = 30 * dayMs;

  it.each(["pending", "unsubscribed before confirming", "bounced before confirming"] as const)(
    "a subscriber who is %s is erased",
    (name) => given(month, histories[name]).when(erasesUnconfirmed).then([erased]),
  );

  it.each(["unknown", "confirmed", "unsubscribed", "bounced", "complained", "erased"] as const)(
    "a subscriber who is %s is not",
    (name) => given(month, histories[name]).when(erasesUnconfirmed).thenNothingChanges(),
  );

  it("counts from the last mail that was requested", () => {
    given(month, [requested(), resent(2, dayMs)])
      .when(erasesUnconfirmed)
      .thenNothingChanges();
    given(31 * dayMs, [requested(), resent(2, dayMs)])
      .when(erasesUnconfirmed)
      .then([erased]);
  });

  it("and not a moment before", () => {
    given(30 * dayMs - 1, [requested()])
      .when(erasesUnconfirmed)
      .thenNothingChanges();
  });
});

it("preferences that change nothing are not recorded", () => {
  const { language, frequency, topics } = requests;
  given(0, [requested(), confirmed])
    .when({ type: "ChangePreferences", language, frequency, topics: topics.toReversed() })
    .thenNothingChanges();
});
