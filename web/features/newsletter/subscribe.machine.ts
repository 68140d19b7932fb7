import { assign, createActor, fromPromise, setup } from "xstate";

import { siteApi } from "../../api-client/request.ts";
import type { FormEvent } from "../form-machine.ts";
import {
  readEntry,
  subscribe,
  type SubscribeEntry,
  type SubscribeResult,
} from "./subscribe-call.ts";

/** A code with a text in every language, or the server's own text. */
export type Trouble =
  | { code: "emailRequired" | "consentRequired" | "alreadySubscribed" | "network" | "refused" }
  | { code: "server"; text: string };

/** The missing field, if any (specification §5). */
export function missingIn(entry: SubscribeEntry): Trouble | undefined {
  if (entry.email === "") return { code: "emailRequired" };
  return entry.consentText === "" ? { code: "consentRequired" } : undefined;
}

/** The message for a failed result; undefined after success. */
function troubleOf(result: SubscribeResult): Trouble | undefined {
  if (result.kind === "subscribed") return undefined;
  if (result.kind === "already") return { code: "alreadySubscribed" };
  return result.text === undefined ? { code: "refused" } : { code: "server", text: result.text };
}

/** Time that the success banner of the waitlist is shown (specification §9). */
export const bannerMs = 10_000;

const nothing: SubscribeEntry = readEntry(new FormData());

const subscribeSetup = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as {
    context: { entry: SubscribeEntry; trouble: Trouble | undefined };
    events: FormEvent;
  },
  actors: {
    subscribe: fromPromise<SubscribeResult, SubscribeEntry>(({ input }) =>
      subscribe(siteApi(), input),
    ),
  },
  delays: { bannerTime: bannerMs },
  guards: {
    isComplete: (_, entry: SubscribeEntry) => missingIn(entry) === undefined,
    isSubscribed: (_, result: SubscribeResult) => result.kind === "subscribed",
  },
  actions: {
    takeEntry: assign((_, entry: SubscribeEntry) => ({ entry, trouble: undefined })),
    sayMissing: assign((_, entry: SubscribeEntry) => ({ trouble: missingIn(entry) })),
    sayResult: assign((_, result: SubscribeResult) => ({ trouble: troubleOf(result) })),
    sayNetwork: assign({ trouble: { code: "network" } }),
    sayNothing: assign({ trouble: undefined }),
    forgetEntry: assign({ entry: nothing }),
  },
});

const entering = subscribeSetup.createStateConfig({
  on: {
    edited: { actions: "sayNothing" },
    submit: [
      {
        guard: { type: "isComplete", params: ({ event }) => readEntry(event.data) },
        target: "submitting",
        actions: { type: "takeEntry", params: ({ event }) => readEntry(event.data) },
      },
      { actions: { type: "sayMissing", params: ({ event }) => readEntry(event.data) } },
    ],
  },
});

/** The two forms differ in the names of their states, and in what follows after success. */
const submitting = <First extends string, Last extends string>(first: First, last: Last) =>
  subscribeSetup.createStateConfig({
    invoke: {
      id: "subscribe",
      src: "subscribe",
      input: ({ context }) => context.entry,
      onDone: [
        {
          guard: { type: "isSubscribed", params: ({ event }) => event.output },
          target: last,
          actions: "forgetEntry",
        },
        {
          target: first,
          actions: { type: "sayResult", params: ({ event }) => event.output },
        },
      ],
      onError: { target: first, actions: "sayNetwork" },
    },
  });

/** The newsletter form (specification §4), without React and texts. */
export const newsletterMachine = subscribeSetup.createMachine({
  id: "newsletter",
  initial: "empty",
  context: { entry: nothing, trouble: undefined },
  states: {
    empty: entering,
    submitting: submitting("empty", "subscribed"),
    subscribed: { type: "final" },
  },
});

/** The waitlist form (specification §4). After success it returns to its beginning. */
export const waitlistMachine = subscribeSetup.createMachine({
  id: "waitlist",
  initial: "idle",
  context: { entry: nothing, trouble: undefined },
  states: {
    idle: entering,
    submitting: submitting("idle", "success"),
    success: { after: { bannerTime: "idle" } },
  },
});

export const createNewsletterActor = () => createActor(newsletterMachine);
export const createWaitlistActor = () => createActor(waitlistMachine);
