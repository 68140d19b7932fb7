import { assign, fromPromise, setup } from "xstate";

import type { LeaveResult, PreferencesResult } from "./preferences-call.ts";
import {
  noSubscriber,
  type Preferences,
  type PreferencesEvent,
  type PreferencesTrouble,
  type Subscriber,
} from "./preferences-view.ts";

type PreferencesContext = {
  token: string;
  subscriber: Subscriber;
  trouble: PreferencesTrouble | undefined;
};
export type Saving = { token: string; preferences: Preferences };

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as { context: PreferencesContext; events: PreferencesEvent },
  actors: {
    load: fromPromise<PreferencesResult, string>(() => Promise.resolve({ kind: "failed" })),
    save: fromPromise<PreferencesResult, Saving>(() => Promise.resolve({ kind: "failed" })),
    unsubscribe: fromPromise<LeaveResult, string>(() => Promise.resolve({ kind: "failed" })),
  },
  guards: {
    hasTopic: ({ context }) => context.subscriber.topics.length > 0,
    isSubscribed: (_, result: PreferencesResult) =>
      result.kind === "known" && result.subscriber.subscribed,
    isUnsubscribed: (_, result: PreferencesResult) =>
      result.kind === "known" && !result.subscriber.subscribed,
    isUnknown: (_, result: { kind: string }) => result.kind === "unknown",
    hasLeft: (_, result: LeaveResult) => result.kind === "left",
  },
  actions: {
    takeToken: assign((_, token: string) => ({ token })),
    takeSubscriber: assign((_, result: PreferencesResult) =>
      result.kind === "known" ? { subscriber: result.subscriber } : {},
    ),
    takePreferences: assign(({ context }, preferences: Preferences) => ({
      subscriber: { ...context.subscriber, ...preferences },
      trouble: undefined,
    })),
    sayNothing: assign({ trouble: undefined }),
    sayTopicRequired: assign({ trouble: "topicRequired" }),
    sayFailed: assign({ trouble: "failed" }),
    sayNetwork: assign({ trouble: "network" }),
  },
});

const unopened = machine.createStateConfig({
  on: {
    open: {
      target: "loading",
      actions: { type: "takeToken", params: ({ event }) => event.token },
    },
  },
});

const loading = machine.createStateConfig({
  entry: "sayNothing",
  invoke: {
    id: "load",
    src: "load",
    input: ({ context }) => context.token,
    onDone: [
      {
        guard: { type: "isSubscribed", params: ({ event }) => event.output },
        target: "ready",
        actions: { type: "takeSubscriber", params: ({ event }) => event.output },
      },
      {
        guard: { type: "isUnsubscribed", params: ({ event }) => event.output },
        target: "unsubscribed",
        actions: { type: "takeSubscriber", params: ({ event }) => event.output },
      },
      { guard: { type: "isUnknown", params: ({ event }) => event.output }, target: "unknown" },
      { target: "unreached", actions: "sayFailed" },
    ],
    onError: { target: "unreached", actions: "sayNetwork" },
  },
});

const saving = machine.createStateConfig({
  entry: "sayNothing",
  invoke: {
    id: "save",
    src: "save",
    input: ({ context }) => ({ token: context.token, preferences: context.subscriber }),
    onDone: [
      {
        guard: { type: "isSubscribed", params: ({ event }) => event.output },
        target: "saved",
        actions: { type: "takeSubscriber", params: ({ event }) => event.output },
      },
      // Unsubscribed meanwhile, in another window or through the mail program.
      {
        guard: { type: "isUnsubscribed", params: ({ event }) => event.output },
        target: "unsubscribed",
      },
      { guard: { type: "isUnknown", params: ({ event }) => event.output }, target: "unknown" },
      { target: "ready", actions: "sayFailed" },
    ],
    onError: { target: "ready", actions: "sayNetwork" },
  },
});

const leaving = machine.createStateConfig({
  entry: "sayNothing",
  invoke: {
    id: "unsubscribe",
    src: "unsubscribe",
    input: ({ context }) => context.token,
    onDone: [
      { guard: { type: "hasLeft", params: ({ event }) => event.output }, target: "unsubscribed" },
      { guard: { type: "isUnknown", params: ({ event }) => event.output }, target: "unknown" },
      { target: "ready", actions: "sayFailed" },
    ],
    onError: { target: "ready", actions: "sayNetwork" },
  },
});

const editable = machine.createStateConfig({
  on: {
    changed: {
      target: "ready",
      actions: { type: "takePreferences", params: ({ event }) => event.preferences },
    },
    save: [
      { guard: "hasTopic", target: "saving" },
      { target: "ready", actions: "sayTopicRequired" },
    ],
    leave: "leaving",
  },
});

/** The preferences of a subscriber, and unsubscribing. */
export const preferencesMachine = machine.createMachine({
  id: "preferences",
  initial: "waiting",
  context: { token: "", subscriber: noSubscriber, trouble: undefined },
  states: {
    waiting: unopened,
    loading,
    unreached: unopened,
    unknown: { type: "final" },
    ready: editable,
    saving,
    saved: editable,
    leaving,
    unsubscribed: { type: "final" },
  },
});
