import { describe, expect, test } from "vitest";
import { createActor, fromPromise, waitFor } from "xstate";
import { getShortestPaths } from "xstate/graph";

import { formData, serializeEvent } from "../../../e2e/machine-paths.ts";
import type { FormEvent } from "../../form-machine.ts";
import type { LeaveResult, PreferencesResult, Subscriber } from "../mail-token-calls.ts";
import { preferencesMachine, readPreferences, type Saving } from "./preferences.machine.ts";

const noa: Subscriber = {
  status: "subscribed",
  email: "noa@example.com",
  frequency: "weekly",
  topics: ["updates", "features"],
  language: "en",
};
const former: Subscriber = { ...noa, status: "unsubscribed" };
const known: PreferencesResult = { kind: "known", subscriber: noa };
const chosen = { frequency: "monthly", topics: "launch", language: "he" };
const save: FormEvent = { type: "submit", data: formData(chosen) };
const noTopic: FormEvent = { type: "submit", data: formData({ frequency: "weekly" }) };
const leave: FormEvent = { type: "submit", data: formData({ ...chosen, leave: "yes" }) };
const edited: FormEvent = { type: "edited", field: "topics" };

type Platform = {
  load?: () => Promise<PreferencesResult>;
  save?: () => Promise<PreferencesResult>;
  leave?: () => Promise<LeaveResult>;
};
const never = (): Promise<never> => new Promise(() => undefined);
const offline = (): Promise<never> => Promise.reject(new TypeError("offline"));
const input = { token: "t-1" };
const busy: readonly string[] = ["loading", "saving", "leaving"];

/** A page after these events, and what was saved. */
async function after(platform: Platform, ...events: FormEvent[]) {
  const { load = () => Promise.resolve(known) } = platform;
  const saved: Saving[] = [];
  const actors = {
    load: fromPromise<PreferencesResult, string>(load),
    save: fromPromise<PreferencesResult, Saving>((call) => {
      saved.push(call.input);
      return (platform.save ?? never)();
    }),
    unsubscribe: fromPromise<LeaveResult, string>(platform.leave ?? never),
  };
  const actor = createActor(preferencesMachine.provide({ actors }), { input }).start();
  await waitFor(actor, ({ value }) => value !== "loading");
  for (const event of events) {
    actor.send(event);
    await waitFor(actor, ({ value }) => !busy.includes(value));
  }
  return { actor, saved, state: actor.getSnapshot().value, context: actor.getSnapshot().context };
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
  ])("opened by %s", async (_, load, state, trouble) => {
    const page = await after({ load });
    expect([page.state, page.context.trouble]).toEqual([state, trouble]);
  });

  test("saves what was chosen, and says so until something changes again", async () => {
    const page = await after({ save: () => Promise.resolve(known) }, save);
    expect(page.state).toBe("saved");
    const preferences = { frequency: "monthly", topics: ["launch"], language: "he" };
    expect(page.saved).toEqual([{ token: "t-1", preferences }]);
    page.actor.send(edited);
    expect(page.actor.getSnapshot().value).toBe("ready");
  });

  test("asks for a topic before anything is sent", async () => {
    const page = await after({}, noTopic);
    expect([page.state, page.context.trouble]).toEqual(["ready", "topicRequired"]);
    expect(page.saved).toEqual([]);
    page.actor.send(edited);
    expect(page.actor.getSnapshot().context.trouble).toBeUndefined();
  });

  test.each<[string, () => Promise<PreferencesResult>, string, string | undefined]>([
    ["a failure", () => Promise.resolve({ kind: "failed" }), "ready", "failed"],
    ["no network", offline, "ready", "network"],
    ["an unknown token", () => Promise.resolve({ kind: "unknown" }), "unknown", undefined],
    [
      "leaving elsewhere",
      () => Promise.resolve({ kind: "known", subscriber: former }),
      "unsubscribed",
      undefined,
    ],
  ])("after %s it is as the answer says", async (_, saving, state, trouble) => {
    const page = await after({ save: saving }, save);
    expect([page.state, page.context.trouble]).toEqual([state, trouble]);
  });

  test.each<[string, () => Promise<LeaveResult>, string, string | undefined]>([
    ["is left", () => Promise.resolve({ kind: "left" }), "unsubscribed", undefined],
    ["is not known any more", () => Promise.resolve({ kind: "unknown" }), "unknown", undefined],
    ["fails", () => Promise.resolve({ kind: "failed" }), "ready", "failed"],
    ["is not reached", offline, "ready", "network"],
  ])("after pressing unsubscribe it %s", async (_, leaving, state, trouble) => {
    const page = await after({ leave: leaving }, leave);
    expect([page.state, page.context.trouble]).toEqual([state, trouble]);
    expect(page.context.subscriber?.email).toBe(noa.email);
    expect(page.saved).toEqual([]);
  });
});

test("a form takes only what the contract names", () => {
  const data = formData({ frequency: "hourly", topics: "gossip", language: "fr" });
  data.append("topics", "launch");
  expect(readPreferences(data)).toEqual({
    frequency: "weekly",
    topics: ["launch"],
    language: "en",
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
    save,
    noTopic,
    leave,
    edited,
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
    input,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the platform's answers are XState's own events, outside of the machine's type
    events: events as never[],
    serializeEvent,
  });

  test("reaches every state there is", () => {
    expect(new Set(paths.map((path) => path.state.value))).toEqual(
      new Set(Object.keys(preferencesMachine.states)),
    );
  });

  test("never saves without a topic", () => {
    const saving = paths.filter((path) => path.state.value === "saving");
    expect(saving.filter(({ state }) => state.context.chosen.topics.length === 0)).toEqual([]);
  });
});
