import { describe, expect, test } from "vitest";
import { createActor, fromPromise, type SnapshotFrom, waitFor } from "xstate";
import { getShortestPaths, getSimplePaths } from "xstate/graph";

import type { ConsentChoice } from "./consent-choice.ts";
import {
  type ConsentEmitted,
  type ConsentEvent,
  consentMachine,
  type ConsentSignal,
} from "./consent.machine.ts";

const now = (): number => Date.UTC(2026, 0, 15);
const rule = { noticeVersion: "v2", months: 6 };
const granted: ConsentChoice = {
  preferences: { essential: true, analytics: true, doNotTrack: false },
  noticeVersion: "v2",
};
const refused: ConsentChoice = {
  preferences: { essential: true, analytics: false, doNotTrack: false },
  noticeVersion: "v2",
  decidedAt: "2026-01-01T00:00:00.000Z",
};

const userEvents: readonly ConsentEvent[] = [
  { type: "accept.all" },
  { type: "reject.all" },
  { type: "customise" },
  { type: "settings.requested" },
  { type: "settings.dismissed" },
  { type: "backdrop.clicked" },
  { type: "analytics.toggled" },
  { type: "save" },
  { type: "reset" },
  { type: "storage.changed" },
  { type: "receipt.arrived", receiptId: "r-1" },
];
/** The results of storage; XState names these events after the invoked actor. */
const storageEvents = (stored: ConsentChoice | undefined) => [
  { type: "xstate.done.actor.load", output: stored },
  { type: "xstate.error.actor.load", error: new Error("storage is blocked") },
  { type: "xstate.done.actor.save", output: undefined },
  { type: "xstate.error.actor.save", error: new Error("storage is full") },
  { type: "xstate.done.actor.clear", output: undefined },
  { type: "xstate.error.actor.clear", error: new Error("storage is blocked") },
];

type Snapshot = SnapshotFrom<typeof consentMachine>;
type Setting = { signal: ConsentSignal | undefined; stored: ConsentChoice | undefined };

const settings: readonly (Setting & { name: string })[] = [
  { name: "nothing saved", signal: undefined, stored: undefined },
  { name: "analytics granted before", signal: undefined, stored: granted },
  { name: "analytics refused before", signal: undefined, stored: refused },
  { name: "Do Not Track", signal: "dnt", stored: undefined },
  { name: "Global Privacy Control after a grant", signal: "gpc", stored: granted },
];

function traversal({ signal, stored }: Setting) {
  return {
    input: { signal, rule, now },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- storage events are XState's own, outside of the machine's type
    events: [...userEvents, ...storageEvents(stored)] as never[],
  };
}

const shortest = (setting: Setting) => getShortestPaths(consentMachine, traversal(setting));

/** Without receipts and other tabs, which add paths but no rules. */
const simple = (setting: Setting) => {
  const { events, ...rest } = traversal(setting);
  const own = events.filter(
    (event) => !["receipt.arrived", "storage.changed"].includes(Reflect.get(event, "type")),
  );
  return getSimplePaths(consentMachine, {
    ...rest,
    events: own,
    serializeState: (state) =>
      JSON.stringify([state.value, state.context.preferences, state.context.given]),
  });
};

function actorFor({ signal, stored }: Setting) {
  const onStorage = consentMachine.provide({
    actors: { load: fromPromise(() => Promise.resolve(stored)) },
  });
  return createActor(onStorage, { input: { signal, rule, now } }).start();
}

/** The state after these events, once storage has answered. */
async function walk(setting: Setting, events: readonly ConsentEvent[]): Promise<Snapshot> {
  const actor = actorFor(setting);
  await waitFor(actor, (snapshot) => !snapshot.matches("loading"));
  for (const event of events) actor.send(event);
  const end = await waitFor(actor, (snapshot) => !snapshot.matches("saving"));
  actor.stop();
  return end;
}

const valueAfter = async (setting: Setting): Promise<string> =>
  String((await walk(setting, [])).value);

/** Names of the violated rules; each must hold in every state. */
function brokenRules(snapshot: Snapshot, signal: ConsentSignal | undefined): string[] {
  const { preferences, draft, given, asking } = snapshot.context;
  const rules: Record<string, boolean> = {
    "essential is always on": preferences.essential,
    "the signal is part of the preferences": preferences.doNotTrack === (signal !== undefined),
    "a signal overrides every choice": signal === undefined || !preferences.analytics,
    "a signal locks the switch": signal === undefined || !draft,
    "a signal is not asked about": signal === undefined || !snapshot.matches("banner"),
    "a given choice is not asked for": !snapshot.matches("banner") || !given,
    "closed means that nothing is open": !snapshot.matches("closed") || !asking,
  };
  return Object.keys(rules).filter((name) => rules[name] !== true);
}

describe("the course of events for a visitor", () => {
  test("one is asked when nothing was saved", async () => {
    expect(await valueAfter({ signal: undefined, stored: undefined })).toBe("banner");
  });

  test("a valid choice is not asked for again", async () => {
    expect(await valueAfter({ signal: undefined, stored: granted })).toBe("closed");
    expect(await valueAfter({ signal: undefined, stored: refused })).toBe("closed");
  });

  test("one is not asked when the browser has said no already", async () => {
    expect(await valueAfter({ signal: "dnt", stored: undefined })).toBe("closed");
    expect(await valueAfter({ signal: "gpc", stored: undefined })).toBe("closed");
  });

  test("one is asked again when the text has changed, and analytics is off until then", async () => {
    const older = { ...granted, noticeVersion: "v1" };
    expect(await valueAfter({ signal: undefined, stored: older })).toBe("banner");
    const { context } = await walk({ signal: undefined, stored: older }, []);
    expect(context.preferences.analytics).toBe(false);
  });

  test("a refusal is asked about again after six months, not before", async () => {
    const old = { ...refused, decidedAt: "2025-07-14T00:00:00.000Z" };
    const recent = { ...refused, decidedAt: "2025-07-16T00:00:00.000Z" };
    expect(await valueAfter({ signal: undefined, stored: old })).toBe("banner");
    expect(await valueAfter({ signal: undefined, stored: recent })).toBe("closed");
  });

  test("a load that fails falls back to essential only", () => {
    const [path] = shortest({ signal: undefined, stored: granted }).filter(({ steps }) =>
      steps.some((step) => step.event.type.startsWith("xstate.error.actor.load")),
    );
    expect(path?.state.context.preferences).toEqual({
      essential: true,
      analytics: false,
      doNotTrack: false,
    });
  });

  test("a click on the backdrop closes settings and banner; leaving the settings keeps the banner", async () => {
    const fresh = { signal: undefined, stored: undefined };
    const opened = await walk(fresh, [{ type: "customise" }]);
    expect(opened.value).toBe("settings");
    expect(opened.context.asking).toBe(true);
    const left = await walk(fresh, [{ type: "customise" }, { type: "settings.dismissed" }]);
    expect(left.value).toBe("banner");
    const backdrop = await walk(fresh, [{ type: "customise" }, { type: "backdrop.clicked" }]);
    expect(backdrop.value).toBe("closed");
    expect(backdrop.context.asking).toBe(false);
    expect(backdrop.context.given).toBe(false);
  });

  test("listeners hear what was found, and every change with its method and place", async () => {
    const heard: ConsentEmitted[] = [];
    const actor = createActor(consentMachine, { input: { signal: undefined, rule, now } });
    actor.on("preferences.loaded", (event) => heard.push(event));
    actor.on("preferences.changed", (event) => heard.push(event));
    actor.start();
    await waitFor(actor, (snapshot) => snapshot.matches("banner"));
    actor.send({ type: "accept.all" });
    await waitFor(actor, (snapshot) => snapshot.matches("closed"));
    actor.send({ type: "settings.requested" });
    actor.send({ type: "analytics.toggled" });
    actor.send({ type: "save" });
    await waitFor(actor, (snapshot) => snapshot.matches("closed"));
    const essential = { essential: true, doNotTrack: false };
    expect(heard).toEqual([
      { type: "preferences.loaded", preferences: { ...essential, analytics: false } },
      {
        type: "preferences.changed",
        preferences: { ...essential, analytics: true },
        method: "accept_all",
        surface: "banner",
      },
      {
        type: "preferences.changed",
        preferences: { ...essential, analytics: false },
        method: "customise",
        surface: "settings",
      },
    ]);
    actor.stop();
  });

  test("a reset removes the choice and asks again", async () => {
    const actor = createActor(consentMachine, { input: { signal: undefined, rule, now } }).start();
    await waitFor(actor, (snapshot) => snapshot.matches("banner"));
    actor.send({ type: "accept.all" });
    await waitFor(actor, (snapshot) => snapshot.matches("closed"));
    actor.send({ type: "settings.requested" });
    actor.send({ type: "reset" });
    expect(actor.getSnapshot().context.preferences.analytics).toBe(false);
    await waitFor(actor, (snapshot) => snapshot.matches("banner"));
    expect(actor.getSnapshot().context.given).toBe(false);
    actor.stop();
  });
});

describe("every way through consent", () => {
  test("no way leads to a given choice except through saving it", () => {
    const given = simple({ signal: undefined, stored: undefined }).filter(
      (path) => path.state.context.given,
    );
    expect(given.length).toBeGreaterThan(5);
    for (const path of given) {
      expect(path.steps.map((step) => step.state.value)).toContain("saving");
    }
  });

  test("no way under Do Not Track grants analytics, whatever was saved before", () => {
    const paths = simple({ signal: "dnt", stored: granted });
    expect(paths.length).toBeGreaterThan(10);
    for (const path of paths) expect(path.state.context.preferences.analytics).toBe(false);
  });
});

describe.each(settings)("consent with $name", (setting) => {
  test("every reachable state keeps the rules, on every step of its shortest path", () => {
    const paths = shortest(setting);
    expect(paths.length).toBeGreaterThan(8);
    for (const path of paths) {
      const states = [...path.steps.map((step) => step.state), path.state];
      expect(states.flatMap((state) => brokenRules(state, setting.signal))).toEqual([]);
    }
  });

  test("a browser that takes every shortest path ends in the state that the path names", async () => {
    for (const path of shortest(setting)) await expectSamePlace(path, setting);
  });
});

type Path = ReturnType<typeof shortest>[number];

/** Follows the path with storage that answers as in the path; only visitor events are sent. */
async function expectSamePlace(path: Path, setting: Setting): Promise<void> {
  const events = path.steps.map((step) => step.event);
  const answers = events.filter((event) => event.type.includes(".actor."));
  const answer = async (id: string, value: ConsentChoice | undefined) => {
    const next = answers.shift();
    // The path ends here, so storage does not answer.
    if (next === undefined) return new Promise<undefined>(() => undefined);
    if (next.type !== `xstate.done.actor.${id}`) throw new Error(id);
    return value;
  };
  const onStorage = consentMachine.provide({
    actors: {
      load: fromPromise(() => answer("load", setting.stored)),
      save: fromPromise<undefined, ConsentChoice>(async () => {
        await answer("save", undefined);
        return undefined;
      }),
      clear: fromPromise<undefined>(async () => {
        await answer("clear", undefined);
        return undefined;
      }),
    },
  });
  const actor = createActor(onStorage, { input: { signal: setting.signal, rule, now } }).start();
  for (const event of events) {
    const sent = userEvents.find((candidate) => candidate.type === event.type);
    if (sent !== undefined) actor.send(sent);
    else if (event.type.startsWith("xstate.")) await settled(actor, event.type);
  }
  expect(actor.getSnapshot().value).toEqual(path.state.value);
  expect(actor.getSnapshot().context.preferences).toEqual(path.state.context.preferences);
  actor.stop();
}

/** Storage has answered when its actor has stopped. */
async function settled(
  actor: ReturnType<typeof createActor<typeof consentMachine>>,
  event: string,
): Promise<void> {
  if (event === "xstate.init") return;
  const id = event.split(".").at(-1) ?? "";
  const place = { load: "loading", save: "saving", clear: "resetting" }[id];
  await waitFor(actor, (snapshot) => snapshot.value !== place);
}
