import { type Conflict, mergeDocuments } from "@pro-talent/schemas/studio/merge";
import { assign, fromPromise, setup } from "xstate";

import type { Json } from "../edit/document-at.ts";
import type { Edit } from "../edit/edits.ts";
import type { Outcome, Saved, Sending, Step } from "./saving-calls.ts";

/** What has to outlive a reload of the page. */
export type Kept<Base extends Saved = Saved> = {
  /** As the server has acknowledged it last. */
  base: Base;
  /** As it is on the screen. */
  document: Base["document"];
  /** What is being sent: the same content until it is acknowledged, because its answer may have been lost. */
  sent: Base["document"] | null;
  /** Fields that were changed here and elsewhere; the document has `mine`. */
  conflicts: readonly Conflict[];
};
type SavingContext = Kept & {
  /** Asked for while something was still to be saved. */
  asked: Step | null;
  /** Attempts to save without an answer. */
  attempts: number;
  tooLong: boolean;
};
export type SavingEvent =
  | { type: "edit"; change: Edit }
  /** Save now: the page may be closed. */
  | { type: "flush" }
  | { type: "step"; step: Step }
  /** The page is looked at again: elsewhere the document may have been edited. */
  | { type: "look" }
  /** There is a connection again. */
  | { type: "online" }
  /** A version was restored here. */
  | { type: "replaced"; saved: Saved }
  | { type: "settle"; path: string };

const pauseMs = 700;
const pauseMsMax = 5_000;
const retryMsMax = 30_000;

const same = (one: Json, other: Json): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

/** Takes over what the server has, on top of which everything stays that was changed here since `from`. */
function taken(
  context: Kept,
  from: Json,
  { saved: base, conflicts }: { saved: Saved; conflicts: readonly Conflict[] },
): Kept {
  const { merged, conflicts: own } = mergeDocuments(from, base.document, context.document);
  const all = new Map([...context.conflicts, ...conflicts, ...own].map((one) => [one.path, one]));
  return {
    base,
    document: merged,
    sent: null,
    conflicts: [...all.values()],
  };
}

type Answered = Extract<Outcome, { kind: "answered" }>;
const answerIn = (outcome: Outcome): Answered | undefined =>
  outcome.kind === "answered" ? outcome : undefined;

/** The calls are those of a kind of document. */
const notProvided = (): Promise<never> => Promise.reject(new Error("no calls"));

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as { context: SavingContext; events: SavingEvent; input: Kept },
  actors: {
    save: fromPromise<Outcome, Sending>(notProvided),
    load: fromPromise<Outcome, Saved>(notProvided),
    step: fromPromise<Outcome, { base: Saved; step: Step }>(notProvided),
  },
  guards: {
    is: (_, { outcome, kind }: { outcome: Outcome; kind: Outcome["kind"] }) =>
      outcome.kind === kind,
    isChanged: ({ context }) => !same(context.document, context.base.document),
    isAsked: ({ context }) => context.asked !== null,
    isUnsent: ({ context }) => context.sent !== null,
  },
  actions: {
    change: assign(({ context }, change: Edit) => ({ document: change(context.document) })),
    ask: assign((_, asked: Step) => ({ asked })),
    forget: assign({ asked: null }),
    settle: assign(({ context }, path: string) => ({
      conflicts: context.conflicts.filter((one) => one.path !== path),
    })),
    send: assign(({ context }) => ({ sent: context.sent ?? context.document, tooLong: false })),
    // What was sent with an earlier base may have been saved: the merge recognises it.
    unsend: assign({ sent: null }),
    takeSaved: assign(({ context }, outcome: Outcome) => {
      const answer = answerIn(outcome);
      if (answer === undefined) return {};
      return { ...taken(context, context.sent ?? context.document, answer), attempts: 0 };
    }),
    takeLoaded: assign(({ context }, outcome: Outcome) => {
      const answer = answerIn(outcome);
      if (answer === undefined) return {};
      return { ...taken(context, context.base.document, answer), attempts: 0 };
    }),
    refuse: assign((_, outcome: Outcome) => ({
      sent: null,
      asked: null,
      tooLong: outcome.kind === "refused" && outcome.tooLong,
    })),
    fail: assign(({ context }) => ({ attempts: context.attempts + 1 })),
  },
  delays: {
    retry: ({ context }) => Math.min(retryMsMax, 1000 * 2 ** Math.max(0, context.attempts - 1)),
  },
});

const ofOutcome = <Kind extends Outcome["kind"]>(kind: Kind) => ({
  type: "is" as const,
  params: ({ event }: { event: { output: Outcome } }) => ({ outcome: event.output, kind }),
});
const withOutcome = <Name extends string>(type: Name) => ({
  type,
  params: ({ event }: { event: { output: Outcome } }) => event.output,
});
const change = {
  type: "change" as const,
  params: ({ event }: { event: { change: Edit } }) => event.change,
};
const ask = {
  type: "ask" as const,
  params: ({ event }: { event: { step: Step } }) => event.step,
};
const replace = {
  type: "takeLoaded" as const,
  params: ({ event }: { event: { saved: Saved } }): Outcome => ({
    kind: "answered",
    saved: event.saved,
    conflicts: [],
  }),
};

/** Where to go with nothing on its way. */
const next = machine.createStateConfig({
  always: [
    { guard: "isUnsent", target: "saving" },
    { guard: "isChanged", target: "changed" },
    { guard: "isAsked", target: "stepping" },
    { target: "saved" },
  ],
});

const saved = machine.createStateConfig({
  on: {
    edit: { target: "changed", actions: change },
    step: { target: "stepping", actions: ask },
    look: "looking",
    replaced: { target: "next", actions: replace },
  },
});

/** Saved after a pause in typing, and at the latest after five seconds. */
const changed = machine.createStateConfig({
  initial: "typing",
  after: { [pauseMsMax]: "saving" },
  on: {
    flush: "saving",
    step: { target: "saving", actions: ask },
  },
  states: {
    typing: {
      after: { [pauseMs]: "#saving.saving" },
      on: { edit: { target: "typing", reenter: true, actions: change } },
    },
  },
});

const saving = machine.createStateConfig({
  entry: "send",
  on: { edit: { actions: change }, step: { actions: ask } },
  invoke: {
    id: "save",
    src: "save",
    input: ({ context: { base, sent, document } }) => ({
      base,
      document: sent ?? document,
    }),
    onDone: [
      { guard: ofOutcome("answered"), target: "next", actions: withOutcome("takeSaved") },
      { guard: ofOutcome("not-kept"), target: "rebasing", actions: "unsend" },
      { guard: ofOutcome("deleted"), target: "deleted" },
      { guard: ofOutcome("refused"), target: "refused", actions: withOutcome("refuse") },
      { target: "waiting" },
    ],
    onError: "waiting",
  },
});

/** Without an answer: what was sent is sent again, unchanged. */
const waiting = machine.createStateConfig({
  entry: "fail",
  on: {
    edit: { actions: change },
    step: { actions: ask },
    online: "saving",
    look: "saving",
  },
  after: { retry: "saving" },
});

/** The server no longer has the base, but this page does: it merges itself. */
const rebasing = machine.createStateConfig({
  on: { edit: { actions: change }, step: { actions: ask } },
  invoke: {
    id: "rebase",
    src: "load",
    input: ({ context }) => context.base,
    onDone: [
      { guard: ofOutcome("answered"), target: "next", actions: withOutcome("takeLoaded") },
      { guard: ofOutcome("deleted"), target: "deleted" },
      { target: "waiting" },
    ],
    onError: "waiting",
  },
});

const looking = machine.createStateConfig({
  on: {
    edit: { target: "changed", actions: change },
    step: { target: "stepping", actions: ask },
    replaced: { target: "next", actions: replace },
  },
  invoke: {
    id: "look",
    src: "load",
    input: ({ context }) => context.base,
    onDone: [
      { guard: ofOutcome("answered"), target: "next", actions: withOutcome("takeLoaded") },
      { guard: ofOutcome("deleted"), target: "deleted" },
      { target: "saved" },
    ],
    onError: "saved",
  },
});

/** Undo and redo: never sent again by themselves, as they would be done twice. */
const stepping = machine.createStateConfig({
  on: { edit: { actions: change } },
  exit: "forget",
  invoke: {
    id: "step",
    src: "step",
    input: ({ context: { base, asked } }) => ({ base, step: asked ?? "undo" }),
    onDone: [
      { guard: ofOutcome("answered"), target: "next", actions: withOutcome("takeLoaded") },
      { guard: ofOutcome("deleted"), target: "deleted" },
      { target: "rebasing" },
    ],
    onError: "rebasing",
  },
});

/** Saves a document while it is edited: nothing that was typed here is lost by lost answers, or by edits elsewhere. */
export const savingMachine = machine.createMachine({
  id: "saving",
  context: ({ input }) => ({ ...input, asked: null, attempts: 0, tooLong: false }),
  initial: "next",
  on: { settle: { actions: { type: "settle", params: ({ event }) => event.path } } },
  states: {
    next,
    saved,
    changed,
    saving,
    waiting,
    rebasing,
    looking,
    stepping,
    refused: {
      on: { edit: { target: "changed", actions: change }, flush: "saving" },
    },
    deleted: {},
  },
});
