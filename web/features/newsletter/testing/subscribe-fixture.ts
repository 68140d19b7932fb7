import { fromPromise, SimulatedClock } from "xstate";

import type { Entry, SubscribeInput, SubscribeResult } from "../subscribe.ts";

export const complete: Entry = { email: "noa@example.com", consent: true, website: "" };
export const shown = { language: "he", consentText: "הסכמה" } as const;
export const submit = { type: "submit", shown } as const;
export const changed = (entry: Partial<Entry>) =>
  ({ type: "changed", entry: { ...complete, ...entry } }) as const;

/** The `subscribe` actor with this answer, the requests it received, and a simulated clock. */
export function platformThat(answer: () => Promise<SubscribeResult>) {
  const requests: SubscribeInput[] = [];
  const subscribe = fromPromise<SubscribeResult, SubscribeInput>(({ input }) => {
    requests.push(input);
    return answer();
  });
  return { actors: { subscribe }, requests, clock: new SimulatedClock() };
}

export const neverAnswers = (): Promise<SubscribeResult> => new Promise(() => undefined);

/** Failed results by name, with the trouble that the form must show. */
export const refusals: readonly [string, () => Promise<SubscribeResult>, object][] = [
  ["a known address", () => Promise.resolve({ kind: "already" }), { code: "alreadySubscribed" }],
  [
    "a refusal with a text",
    () => Promise.resolve({ kind: "refused", text: "No such domain" }),
    { code: "server", text: "No such domain" },
  ],
  ["a refusal without a text", () => Promise.resolve({ kind: "refused" }), { code: "refused" }],
  ["no network", () => Promise.reject(new TypeError("offline")), { code: "network" }],
];

/** The answers as XState events, for walks through every path. */
export const answerEvents = [
  { type: "xstate.done.actor.subscribe", output: { kind: "subscribed" } },
  { type: "xstate.done.actor.subscribe", output: { kind: "already" } },
  { type: "xstate.done.actor.subscribe", output: { kind: "refused" } },
  { type: "xstate.error.actor.subscribe", error: new TypeError("offline") },
];
