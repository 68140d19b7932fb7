import {
  leaveField,
  newsletterFrequencies,
  newsletterTopics,
} from "@pro-talent/schemas/newsletter/categories";
import { assign, createActor, fromPromise, setup } from "xstate";

import { siteApi } from "../../../api-client/request.ts";
import { fallbackLanguage, isLanguage } from "../../../i18n/languages.ts";
import type { FormEvent } from "../../form-machine.ts";
import {
  type LeaveResult,
  loadPreferences,
  type Preferences,
  type PreferencesResult,
  savePreferences,
  type Subscriber,
  unsubscribe,
} from "../mail-token-calls.ts";

export type PreferencesTrouble = "topicRequired" | "failed" | "network";

type PreferencesContext = {
  token: string;
  /** Undefined until they are loaded. */
  subscriber: Subscriber | undefined;
  chosen: Preferences;
  trouble: PreferencesTrouble | undefined;
};
export type Saving = { token: string; preferences: Preferences };

/** What is chosen in the form. */
export function readPreferences(data: FormData): Preferences {
  const language = data.get("language");
  const topics = data.getAll("topics");
  return {
    frequency: newsletterFrequencies.find((name) => name === data.get("frequency")) ?? "weekly",
    topics: newsletterTopics.filter((topic) => topics.includes(topic)),
    language: isLanguage(language) ? language : fallbackLanguage,
  };
}

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as {
    context: PreferencesContext;
    events: FormEvent;
    input: { token: string };
  },
  actors: {
    load: fromPromise<PreferencesResult, string>(({ input }) => loadPreferences(siteApi(), input)),
    save: fromPromise<PreferencesResult, Saving>(({ input }) =>
      savePreferences(siteApi(), input.token, input.preferences),
    ),
    unsubscribe: fromPromise<LeaveResult, string>(({ input }) => unsubscribe(siteApi(), input)),
  },
  guards: {
    leaves: (_, data: FormData) => data.has(leaveField),
    hasTopic: (_, data: FormData) => readPreferences(data).topics.length > 0,
    isSubscribed: (_, result: PreferencesResult) =>
      result.kind === "known" && result.subscriber.status === "subscribed",
    isUnsubscribed: (_, result: PreferencesResult) =>
      result.kind === "known" && result.subscriber.status === "unsubscribed",
    isUnknown: (_, result: { kind: string }) => result.kind === "unknown",
    hasLeft: (_, result: LeaveResult) => result.kind === "left",
  },
  actions: {
    takeSubscriber: assign((_, result: PreferencesResult) =>
      result.kind === "known" ? { subscriber: result.subscriber } : {},
    ),
    takeChoice: assign((_, data: FormData) => ({ chosen: readPreferences(data) })),
    say: assign((_, trouble: PreferencesTrouble | undefined) => ({ trouble })),
  },
});

const loading = machine.createStateConfig({
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
      { target: "unreached", actions: { type: "say", params: "failed" } },
    ],
    onError: { target: "unreached", actions: { type: "say", params: "network" } },
  },
});

const saving = machine.createStateConfig({
  entry: { type: "say", params: undefined },
  invoke: {
    id: "save",
    src: "save",
    input: ({ context }) => ({ token: context.token, preferences: context.chosen }),
    onDone: [
      {
        guard: { type: "isSubscribed", params: ({ event }) => event.output },
        target: "saved",
        actions: { type: "takeSubscriber", params: ({ event }) => event.output },
      },
      {
        guard: { type: "isUnsubscribed", params: ({ event }) => event.output },
        target: "unsubscribed",
      },
      { guard: { type: "isUnknown", params: ({ event }) => event.output }, target: "unknown" },
      { target: "ready", actions: { type: "say", params: "failed" } },
    ],
    onError: { target: "ready", actions: { type: "say", params: "network" } },
  },
});

const leaving = machine.createStateConfig({
  entry: { type: "say", params: undefined },
  invoke: {
    id: "unsubscribe",
    src: "unsubscribe",
    input: ({ context }) => context.token,
    onDone: [
      { guard: { type: "hasLeft", params: ({ event }) => event.output }, target: "unsubscribed" },
      { guard: { type: "isUnknown", params: ({ event }) => event.output }, target: "unknown" },
      { target: "ready", actions: { type: "say", params: "failed" } },
    ],
    onError: { target: "ready", actions: { type: "say", params: "network" } },
  },
});

/** The button that unsubscribes submits the same form, under a name of its own. */
const editable = machine.createStateConfig({
  on: {
    edited: { target: "ready", actions: { type: "say", params: undefined } },
    submit: [
      { guard: { type: "leaves", params: ({ event }) => event.data }, target: "leaving" },
      {
        guard: { type: "hasTopic", params: ({ event }) => event.data },
        target: "saving",
        actions: { type: "takeChoice", params: ({ event }) => event.data },
      },
      { target: "ready", actions: { type: "say", params: "topicRequired" } },
    ],
  },
});

/** The preferences of a subscriber, and unsubscribing. To load again, begin anew. */
export const preferencesMachine = machine.createMachine({
  id: "preferences",
  initial: "loading",
  context: ({ input }) => ({
    token: input.token,
    subscriber: undefined,
    chosen: readPreferences(new FormData()),
    trouble: undefined,
  }),
  states: {
    loading,
    unreached: { type: "final" },
    unknown: { type: "final" },
    ready: editable,
    saving,
    saved: editable,
    leaving,
    unsubscribed: { type: "final" },
  },
});

export const createPreferencesActor = (token: string) =>
  createActor(preferencesMachine, { input: { token } });
