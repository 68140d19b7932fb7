import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { instantPlus } from "@pro-talent/schemas/primitives/instant";
import type { PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import { transitions } from "@pro-talent/schemas/privacy/transitions";

import { type PrivacyCommand, privacyDecider } from "../../decider.ts";
import { guards, type Recordable } from "../../guards.decider.ts";
import { timersOf } from "../../timers.ts";
import { accountId } from "../facts.ts";
import { answerTo, attemptsOf, fold, type Moment, origins } from "../request-model.ts";
import type { Action } from "./action.ts";
import { actions } from "./actions.ts";

/** A course of actions from the receipt of a request on, and what it shows. */
export type Trace = {
  readonly origin: string;
  readonly received: Begin;
  readonly steps: readonly Step[];
};
export type Step = { readonly action: Action; readonly after: Moment };

/** Requests of a person who was not signed in: no call of a browser leads there. */
const withoutIdentity = Object.fromEntries(
  (["access", "correct", "cancel-deletion"] as const).map((requestType) => [
    `${requestType} without an identity`,
    {
      type: "ReceiveRequest" as const,
      requestType,
      accountId: requestType === "cancel-deletion" ? null : accountId,
      identity: null,
    },
  ]),
);
type Begin = Exclude<PrivacyCommand, { type: "Record" }>;
export const begins: Readonly<Record<string, Begin>> = { ...origins, ...withoutIdentity };

type Node = { readonly step: Step | null; readonly before: Node | null; readonly moment: Moment };

/** What the table has in general and no course comes to, with the reason. */
const unreachable: readonly (readonly [item: RegExp, reason: string])[] = [
  [/ IdentityFailed: attempts-left/u, "the last wrong code ends the request by itself"],
  [
    /^(?:correct|cancel-deletion) \w+ (?:Identity(?:ChallengeSent|Failed|Refused|Checked)|NothingHeld|SubjectIdentified|RequestEndedByErasure): /u,
    "no form asks for a correction or a cancellation",
  ],
  [/^correct verified CorrectionApproved: identity-enough/u, "its holder signed in"],
  [/^cancel-deletion verified NoticeTried: /u, "it is completed as it is verified"],
  [/^cancel-deletion completed ContentsForgotten: /u, "nothing is sealed with it"],
  [/^cancel-deletion \w+ NoticeTried: accepted/u, "nothing is notified but the cancellation"],
  [
    /^access stalled IdentityChallengeSent: codes-left/u,
    "lies deeper than what is looked at; the other states show the condition",
  ],
  [/^delete received .*: by-form/u, "a holder's deletion is verified as it is received"],
  [/^delete verified .*: by-form/u, "a holder's deletion is scheduled as it is verified"],
  [/^delete \w+ RequestEndedByErasure: not-held/u, "holds are placed on what is scheduled"],
  [/^delete verified IdentityChecked: needs-review/u, "it cannot be assigned either"],
  [/^delete received NoticeTried: accepted/u, "nothing is announced before the identity is known"],
  [/^delete (?:claimed|erasing|erased|stalled) NoticeTried: accepted/u, "its last mail is a step"],
];

/** Every condition of the table that a trace can show: `<type> <status> <event>: <condition>`. */
export function everyItem(): ReadonlySet<string> {
  const items = Object.entries(transitions).flatMap(([type, rows]) =>
    rows.flatMap(({ from, event, guards: names }) =>
      from.flatMap((status) =>
        ["accepted", ...names].map((name) => `${type} ${status} ${event}: ${name}`),
      ),
    ),
  );
  return new Set(items);
}

/** What is refused in a state by a condition, and what a rule does not do there. */
export function refusedIn(moment: Moment): readonly string[] {
  const { request, now } = moment;
  const prefix = `${request.type} ${request.status}`;
  const refused = attemptsOf(moment).flatMap((fact) => {
    const answer = answerTo(moment, fact);
    return typeof answer === "string" ? [`${prefix} ${fact.type}: ${answer}`] : [];
  });
  const rules = transitions[request.type].flatMap(({ by, from, event, guards: names }) => {
    if (by !== "rule" || !from.includes(request.status)) return [];
    const nothing: Recordable = { type: "RequestWithdrawn", data: {} };
    const failed = names.find((name) => !guards[name](request, nothing, now));
    return failed === undefined ? [] : [`${prefix} ${event}: ${failed}`];
  });
  return [...refused, ...rules];
}

type Result = {
  readonly after: Moment;
  readonly accepted: readonly string[];
  readonly events: readonly PrivacyEvent[];
};

/** The moment after an action, and what was accepted on the way; undefined when it is refused. */
export function afterAction(moment: Moment, action: Action): Result | undefined {
  const facts = action.facts(moment);
  if (facts === undefined) return undefined;
  const now = instantPlus(moment.now, action.waitMs ?? 0);
  let { request } = moment;
  const accepted: string[] = [];
  const recorded: PrivacyEvent[] = [];
  for (const fact of facts) {
    const events = privacyDecider.decide({ type: "Record", fact }, request, { now });
    if ("kind" in events) return undefined;
    for (const event of events) {
      recorded.push(event);
      accepted.push(`${request.type} ${request.status} ${event.type}: accepted`);
      const next = fold(request, [event], now);
      if (next.status === "none") return undefined;
      request = next;
    }
  }
  return { after: { request, now }, accepted, events: recorded };
}

/** What decides about the future of a request, and what is counted towards a limit. */
function keyOf({ request, now }: Moment): string {
  const {
    status,
    outcome,
    attempts,
    codes,
    approvedBy,
    package: sealed,
    notices,
    receivedAt,
  } = request;
  const refused = refusedIn({ request, now });
  const failed = Math.max(0, ...Object.values(attempts));
  const due = notices.filter(({ at }) => at <= now).length;
  const timers = timersOf(request).flatMap(({ name, dueAt }) => (dueAt <= now ? [name] : []));
  const counted = [failed, codes.failed, codes.askedAt.length, approvedBy.length];
  const months =
    status === "erased" ? Math.floor((Date.parse(now) - Date.parse(receivedAt)) / monthMs) : 0;
  const work = [months, sealed?.downloads, due > 0, request.plan.length, request.open.length];
  return JSON.stringify([status, outcome, counted, work, timers, refused]);
}

export function startOf(received: PrivacyCommand, now: Instant): Moment {
  const none = privacyDecider.initialState;
  const events = privacyDecider.decide(received, none, { now });
  const request = "kind" in events ? none : fold(none, events, now);
  if (request.status === "none") throw new Error("It is not received");
  return { request, now };
}

const monthMs = 30 * 24 * 60 * 60_000;
const lastMs = 200 * 24 * 60 * 60_000;

/** For each item that can be shown, the shortest course to it; in order of its length. */
function coursesFrom(received: PrivacyCommand, begun: Instant, max: number): Map<string, Node> {
  const start: Node = { step: null, before: null, moment: startOf(received, begun) };
  const shown = new Map<string, Node>();
  const seen = new Set([keyOf(start.moment)]);
  const note = (item: string, node: Node): void => {
    if (!shown.has(item)) shown.set(item, node);
  };
  let frontier = [start];
  while (frontier.length > 0 && seen.size < max) {
    const found: Node[] = [];
    for (const node of frontier) {
      for (const item of refusedIn(node.moment)) note(item, node);
      for (const action of actions) {
        const result = afterAction(node.moment, action);
        if (result === undefined) continue;
        if (result.after.now > instantPlus(begun, lastMs)) continue;
        const next: Node = {
          step: { action, after: result.after },
          before: node,
          moment: result.after,
        };
        for (const item of result.accepted) note(item, next);
        const key = keyOf(result.after);
        if (seen.has(key)) continue;
        seen.add(key);
        found.push(next);
      }
    }
    frontier = found;
  }
  return shown;
}

function stepsTo(node: Node): readonly Step[] {
  const steps: Step[] = [];
  for (let one: Node | null = node; one !== null; one = one.before)
    if (one.step !== null) steps.unshift(one.step);
  return steps;
}

/** What a trace shows, the states on its way included. */
function itemsOf(start: Moment, steps: readonly Step[]): readonly string[] {
  let moment = start;
  return [
    ...refusedIn(start),
    ...steps.flatMap(({ action, after }) => {
      const accepted = afterAction(moment, action)?.accepted ?? [];
      moment = after;
      return [...accepted, ...refusedIn(after)];
    }),
  ];
}

export type Plan = {
  readonly traces: readonly Trace[];
  /** Conditions of the table that no course of the model shows. */
  readonly missing: readonly string[];
  /** How many of them the traces show. */
  readonly shown: number;
};

/**
 * Chooses courses of the model that show together every transition of the table, and every refusal by each
 * of its conditions that can be reached.
 * @param max states that are looked at from each beginning
 */
export function planTraces(begun: Instant, max: number): Plan {
  const wanted = new Set(everyItem());
  const reached = new Set<string>();
  const traces: Trace[] = [];
  for (const [origin, received] of Object.entries(begins)) {
    const courses = coursesFrom(received, begun, max);
    for (const item of courses.keys()) reached.add(stateIn(item));
    // The longest first: they show much on their way.
    wanted.delete(`${received.requestType} none RequestReceived: accepted`);
    for (const [item, node] of [...courses].toReversed()) {
      if (!wanted.has(item)) continue;
      const steps = stepsTo(node);
      for (const one of itemsOf(startOf(received, begun), steps)) wanted.delete(one);
      traces.push({ origin, received, steps });
    }
  }
  const missing = [...wanted].filter(
    (item) => reached.has(stateIn(item)) && !unreachable.some(([pattern]) => pattern.test(item)),
  );
  return { traces, missing: missing.toSorted(), shown: everyItem().size - wanted.size };
}

/** The type and the status. */
const stateIn = (item: string): string => item.split(" ").slice(0, 2).join(" ");
