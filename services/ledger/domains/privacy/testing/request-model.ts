import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import { holdReviewMs } from "@pro-talent/schemas/privacy/clocks";

import { type PrivacyCommand, privacyDecider, type PrivacyRefusal } from "../decider.ts";
import type { Recordable } from "../guards.decider.ts";
import type { KnownRequest, PrivacyState } from "../state.decider.ts";
import { everyFact } from "./every-fact.ts";
import type { Model } from "./explore.ts";
import * as facts from "./facts.ts";
import { dana, omar, onDay } from "./facts.ts";

/** A request at an instant. */
export type Moment = { readonly request: KnownRequest; readonly now: Instant };

/** How a request begins: by an account's holder, by the platform, or by one of the forms. */
export const origins: Readonly<Record<string, Exclude<PrivacyCommand, { type: "Record" }>>> = {
  "a copy for a holder": facts.receives("access"),
  "a correction for a holder": facts.receives("correct"),
  "a deletion for a holder": facts.receives("delete"),
  "a cancellation": { ...facts.receives("cancel-deletion"), accountId: null },
  ...Object.fromEntries(
    (["access", "delete"] as const).flatMap((requestType) =>
      (["mailbox", "account", "authorised"] as const).map((relation) => [
        `a form: ${requestType}, ${relation}`,
        { type: "ReceiveForm" as const, requestType, relation },
      ]),
    ),
  ),
};

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** Over the end of a lease and of a code; of a day; of the time to object, of an identity, and of a grace period. */
const waits = [31 * minuteMs, dayMs + minuteMs, 8 * dayMs, 16 * dayMs, 31 * dayMs];
const lastDay = 130;

const holdIdOf = (number: number): string => `3eaf7ca1-2d84-4d92-9051-6d428fcbca4${number}`;

/** What could be recorded about a request now. */
export const attemptsOf = ({ request, now }: Moment): readonly Recordable[] =>
  everyFact({
    officers: [dana, omar],
    holdId: request.holds[0] ?? holdIdOf(9),
    newHoldId: holdIdOf(request.holds.length),
    soon: instantPlus(now, dayMs),
    past: instantPlus(now, -200 * dayMs),
    far: instantPlus(now, holdReviewMs + dayMs),
  });

/** What is answered to a fact: the request after it, or why not. */
export function answerTo(
  { request, now }: Moment,
  fact: Recordable,
): PrivacyState | PrivacyRefusal {
  const events = privacyDecider.decide({ type: "Record", fact }, request, { now });
  return "kind" in events ? events.code : fold(request, events, now);
}

type Events = Exclude<ReturnType<typeof privacyDecider.decide>, { kind: "refusal" }>;

export const fold = (request: PrivacyState, events: Events, now: Instant): PrivacyState =>
  events.reduce((state, event) => privacyDecider.evolve(state, event, now), request);

/** A request from its receipt on, with everything tried in every state and after every wait. */
export function requestModel(
  received: PrivacyCommand,
  brokenIn: (moment: Moment) => readonly string[],
): Model<Moment> {
  const events = privacyDecider.decide(received, privacyDecider.initialState, { now: onDay(0) });
  const request =
    "kind" in events ? undefined : fold(privacyDecider.initialState, events, onDay(0));
  if (request === undefined || request.status === "none") throw new Error("It is not received");
  return {
    start: { request, now: onDay(0) },
    next: nextOf,
    key: keyOf,
    broken: brokenIn,
    mustEnd: () => true,
    isEnd: (moment) => moment.request.status === "completed",
  };
}

function* nextOf(moment: Moment): Generator<readonly [string, Moment]> {
  const { request, now } = moment;
  for (const ms of waits)
    if (instantPlus(now, ms) < onDay(lastDay))
      yield [`waits ${ms / minuteMs} min`, { request, now: instantPlus(now, ms) }];
  for (const fact of attemptsOf(moment)) {
    const after = answerTo(moment, fact);
    if (typeof after !== "string" && after.status !== "none")
      yield [fact.type, { request: after, now }];
  }
}

/** What can be recorded now and why the rest can not, with what is counted towards a limit. */
function keyOf(moment: Moment): string {
  const { status, outcome, attempts, codes, approvedBy, package: sealed } = moment.request;
  const answers = attemptsOf(moment).map((fact) => {
    const answer = answerTo(moment, fact);
    return typeof answer === "string" ? answer : "";
  });
  const failed = Math.max(0, ...Object.values(attempts));
  const counted = [failed, codes.failed, codes.askedAt.length, approvedBy.length];
  return [status, outcome, counted, sealed?.downloads, answers].join();
}
