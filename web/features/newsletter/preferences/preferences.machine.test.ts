import { SubscriberAnswer } from "@pro-talent/schemas/newsletter/calls";
import { describe, expect, test } from "vitest";
import { createActor, fromPromise, waitFor } from "xstate";
import { getShortestPaths } from "xstate/graph";

import {
  type LeaveResult,
  leaveResultOf,
  type PreferencesResult,
  preferencesResultOf,
} from "./preferences-call.ts";
import {
  firstPreferencesView,
  foreseePreferences,
  type PreferencesEvent,
  type Subscriber,
} from "./preferences-view.ts";
import { preferencesMachine, type Saving } from "./preferences.machine.ts";

const noa: Subscriber = {
  email: "noa@example.com",
  subscribed: true,
  frequency: "weekly",
  topics: ["updates", "features"],
  language: "en",
};
const former: Subscriber = { ...noa, subscribed: false };
const known: PreferencesResult = { kind: "known", subscriber: noa };
const open: PreferencesEvent = { type: "open", token: "t-1" };
const monthly: PreferencesEvent = {
  type: "changed",
  preferences: { frequency: "monthly", topics: ["launch"], language: "he" },
};
const noTopic: PreferencesEvent = {
  type: "changed",
  preferences: { frequency: "weekly", topics: [], language: "en" },
};

type Platform = {
  load?: () => Promise<PreferencesResult>;
  save?: () => Promise<PreferencesResult>;
  leave?: () => Promise<LeaveResult>;
};
const never = (): Promise<never> => new Promise(() => undefined);
const offline = (): Promise<never> => Promise.reject(new TypeError("offline"));

/** A page, the answers of its platform, and what was saved. */
function pageWith({ load = () => Promise.resolve(known), save = never, leave = never }: Platform) {
  const saved: Saving[] = [];
  const actors = {
    load: fromPromise<PreferencesResult, string>(load),
    save: fromPromise<PreferencesResult, Saving>(({ input }) => {
      saved.push(input);
      return save();
    }),
    unsubscribe: fromPromise<LeaveResult, string>(leave),
  };
  const actor = createActor(preferencesMachine.provide({ actors })).start();
  return { actor, saved };
}

const busy: readonly string[] = ["loading", "saving", "leaving"];

async function after(platform: Platform, ...events: PreferencesEvent[]) {
  const page = pageWith(platform);
  for (const event of [open, ...events]) {
    page.actor.send(event);
    await waitFor(page.actor, ({ value }) => !busy.includes(value));
  }
  return {
    ...page,
    place: page.actor.getSnapshot().value,
    context: page.actor.getSnapshot().context,
  };
}

describe("the page of preferences", () => {
  test.each<[string, () => Promise<PreferencesResult>, string, string | undefined]>([
    ["a subscriber", () => Promise.resolve(known), "ready", undefined],
    [
      "a former subscriber",
      () => Promise.resolve({ kind: "known", subscriber: former }),
      "unsubscribed",
      undefined,
    ],
    ["an unknown token", () => Promise.resolve({ kind: "unknown" }), "unknown", undefined],
    ["a failure", () => Promise.resolve({ kind: "failed" }), "unreached", "failed"],
    ["no network", offline, "unreached", "network"],
  ])("opened by %s", async (_, load, place, trouble) => {
    const page = await after({ load });
    expect([page.place, page.context.trouble]).toEqual([place, trouble]);
  });

  test("that could not be loaded is loaded on the next try", async () => {
    const answers = [offline, () => Promise.resolve(known)];
    const page = await after({ load: () => (answers.shift() ?? never)() }, open);
    expect(page.place).toBe("ready");
    expect(page.context.subscriber).toEqual(noa);
  });

  test("saves what was chosen, and says so until something changes again", async () => {
    const save = (): Promise<PreferencesResult> => Promise.resolve(known);
    const page = await after({ save }, monthly, { type: "save" });
    expect(page.place).toBe("saved");
    expect(page.saved).toMatchObject([{ token: "t-1", preferences: monthly.preferences }]);
    page.actor.send(noTopic);
    expect(page.actor.getSnapshot().value).toBe("ready");
  });

  test("asks for a topic before anything is sent", async () => {
    const page = await after({}, noTopic, { type: "save" });
    expect([page.place, page.context.trouble]).toEqual(["ready", "topicRequired"]);
    expect(page.saved).toEqual([]);
    page.actor.send(monthly);
    expect(page.actor.getSnapshot().context.trouble).toBeUndefined();
  });

  test.each<[string, () => Promise<PreferencesResult>, string]>([
    ["a failure", () => Promise.resolve({ kind: "failed" }), "failed"],
    ["no network", offline, "network"],
  ])("after %s keeps what was chosen", async (_, save, trouble) => {
    const page = await after({ save }, monthly, { type: "save" });
    expect([page.place, page.context.trouble]).toEqual(["ready", trouble]);
    expect(page.context.subscriber).toMatchObject(monthly.preferences);
  });

  test.each<[string, () => Promise<LeaveResult>, string, string | undefined]>([
    ["is left", () => Promise.resolve({ kind: "left" }), "unsubscribed", undefined],
    ["is not known any more", () => Promise.resolve({ kind: "unknown" }), "unknown", undefined],
    ["fails", () => Promise.resolve({ kind: "failed" }), "ready", "failed"],
    ["is not reached", offline, "ready", "network"],
  ])("after pressing unsubscribe it %s", async (_, leave, place, trouble) => {
    const page = await after({ leave }, { type: "leave" });
    expect([page.place, page.context.trouble]).toEqual([place, trouble]);
    expect(page.context.subscriber.email).toBe(noa.email);
  });
});

describe("an answer about a subscriber", () => {
  const answer = SubscriberAnswer.parse({
    status: "subscribed",
    email: "noa@example.com",
    language: "en",
    frequency: "weekly",
    topics: ["updates", "features"],
  });

  test.each<[number, unknown, PreferencesResult]>([
    [200, answer, known],
    [200, { ...answer, status: "unsubscribed" }, { kind: "known", subscriber: former }],
    [
      200,
      { ...answer, status: "unsubscribed", email: "" },
      { kind: "known", subscriber: { ...former, email: "" } },
    ],
    [200, { ...answer, frequency: "daily" }, { kind: "failed" }],
    [200, undefined, { kind: "failed" }],
    [404, {}, { kind: "unknown" }],
    [422, {}, { kind: "unknown" }],
    [503, {}, { kind: "failed" }],
  ])("%i with %j means %j", (status, body, result) => {
    expect(preferencesResultOf({ ok: status < 300, status, body })).toEqual(result);
  });

  test.each([
    [200, "left"],
    [404, "unknown"],
    [500, "failed"],
  ])("%i means %s after unsubscribing", (status, kind) => {
    expect(leaveResultOf({ ok: status < 300, status, body: {} })).toEqual({ kind });
  });
});

describe("every way through the page", () => {
  const answers = [
    known,
    { kind: "known", subscriber: former },
    { kind: "unknown" },
    { kind: "failed" },
  ];
  const events = [
    open,
    monthly,
    noTopic,
    { type: "save" },
    { type: "leave" },
    ...["load", "save"].flatMap((call) => [
      ...answers.map((output) => ({ type: `xstate.done.actor.${call}`, output })),
      { type: `xstate.error.actor.${call}`, error: new TypeError("offline") },
    ]),
    ...["left", "unknown", "failed"].map((kind) => ({
      type: "xstate.done.actor.unsubscribe",
      output: { kind },
    })),
    { type: "xstate.error.actor.unsubscribe", error: new TypeError("offline") },
  ];
  const paths = getShortestPaths(preferencesMachine, {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the platform's answers are XState's own events, outside of the machine's type
    events: events as never[],
  });

  test("reaches every state there is", () => {
    expect(new Set(paths.map((path) => path.state.value))).toEqual(
      new Set(Object.keys(preferencesMachine.states)),
    );
  });

  test("never saves without a topic", () => {
    const saving = paths.filter((path) => path.state.value === "saving");
    expect(saving.filter(({ state }) => state.context.subscriber.topics.length === 0)).toEqual([]);
  });

  test("shows before the machine is there what the machine then says", () => {
    const { actor } = pageWith({ load: never });
    actor.send(open);
    expect(foreseePreferences(firstPreferencesView, open).place).toBe(actor.getSnapshot().value);
  });
});
