import { fromPromise, SimulatedClock } from "xstate";

import type { Entry, Outcome, Wish } from "../subscription.ts";

export const complete: Entry = { email: "noa@example.com", consent: true, website: "" };
export const shown = { language: "he", consentText: "הסכמה" } as const;
export const submit = { type: "submit", shown } as const;
export const changed = (entry: Partial<Entry>) =>
  ({ type: "changed", entry: { ...complete, ...entry } }) as const;

/** A platform that answers like this, and the wishes that reached it; with a clock to be moved. */
export function platformThat(answer: () => Promise<Outcome>) {
  const wishes: Wish[] = [];
  const subscribe = fromPromise<Outcome, Wish>(({ input }) => {
    wishes.push(input);
    return answer();
  });
  return { actors: { subscribe }, wishes, clock: new SimulatedClock() };
}

export const neverAnswers = (): Promise<Outcome> => new Promise(() => undefined);

/** What may come back that is no subscription, and what the form then has to say. */
export const refusals: readonly [string, () => Promise<Outcome>, object][] = [
  ["a known address", () => Promise.resolve({ kind: "already" }), { code: "alreadySubscribed" }],
  [
    "a refusal with a text",
    () => Promise.resolve({ kind: "refused", text: "No such domain" }),
    { code: "server", text: "No such domain" },
  ],
  ["a refusal without a text", () => Promise.resolve({ kind: "refused" }), { code: "refused" }],
  ["no network", () => Promise.reject(new TypeError("offline")), { code: "network" }],
];

/** The platform's answers as XState's own events, for walks through every path. */
export const answerEvents = [
  { type: "xstate.done.actor.subscribe", output: { kind: "subscribed" } },
  { type: "xstate.done.actor.subscribe", output: { kind: "already" } },
  { type: "xstate.done.actor.subscribe", output: { kind: "refused" } },
  { type: "xstate.error.actor.subscribe", error: new TypeError("offline") },
];
