import { expect, test } from "vitest";

import { ConsentActor } from "./consent-actor.ts";
import type { ConsentChoice } from "./consent-choice.ts";
import { loadChoice, saveChoice } from "./consent-storage.ts";
import type { ConsentEmitted, ConsentSignal } from "./consent.machine.ts";

const rule = { noticeVersion: "v1", months: 6 };
const granted: ConsentChoice = {
  preferences: { essential: true, analytics: true, doNotTrack: false },
  noticeVersion: "v1",
};

function emptyStorage() {
  const entries = new Map<string, string>();
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  };
}

function browserWith({ choice, signal }: { choice?: ConsentChoice; signal?: ConsentSignal }) {
  const storage = emptyStorage();
  if (choice !== undefined) saveChoice(storage, choice);
  const actor = new ConsentActor({ signal, rule, now: () => Date.UTC(2026, 0, 15) }, () => storage);
  const heard: ConsentEmitted[] = [];
  actor.listen((event) => heard.push(event));
  return { storage, actor, heard };
}

/** Resolves with the next change of consent. */
const changeOf = (actor: ConsentActor): Promise<ConsentEmitted> =>
  new Promise((resolve) => {
    actor.listen((event) => {
      if (event.type === "preferences.changed") resolve(event);
    });
  });

test("at the start it is known at once who is asked and what is allowed", () => {
  const fresh = browserWith({});
  fresh.actor.start();
  expect(fresh.actor.view().asking).toBe(true);
  const known = browserWith({ choice: granted });
  known.actor.start();
  expect(known.actor.view().asking).toBe(false);
  expect(known.heard).toEqual([{ type: "preferences.loaded", preferences: granted.preferences }]);
});

test("a browser signal overrides a stored choice, and no banner is shown", () => {
  const { actor, heard } = browserWith({ choice: granted, signal: "dnt" });
  actor.start();
  expect(actor.view().asking).toBe(false);
  expect(heard[0]?.preferences).toEqual({ essential: true, analytics: false, doNotTrack: true });
});

test("where storage is blocked one is asked, and only the essential is allowed", () => {
  const actor = new ConsentActor({ signal: undefined, rule, now: () => 0 }, () => {
    throw new Error("blocked");
  });
  const heard: ConsentEmitted[] = [];
  actor.listen((event) => heard.push(event));
  actor.start();
  expect(actor.view().asking).toBe(true);
  expect(heard[0]?.preferences.analytics).toBe(false);
});

test("a choice made at the banner is kept and closes it", async () => {
  const { actor, storage } = browserWith({});
  actor.start();
  const change = changeOf(actor);
  actor.send({ type: "accept.all" });
  expect(await change).toMatchObject({ method: "accept_all", surface: "banner" });
  expect(actor.view()).toEqual({ asking: false, settings: undefined });
  expect(loadChoice(storage)?.preferences.analytics).toBe(true);
});

test("what is sent before the machine has come happens in order", async () => {
  const { actor, storage } = browserWith({});
  actor.start();
  const change = changeOf(actor);
  actor.send({ type: "settings.requested" });
  actor.send({ type: "analytics.toggled" });
  actor.send({ type: "save" });
  expect(await change).toMatchObject({ method: "customise", surface: "settings" });
  expect(loadChoice(storage)?.preferences.analytics).toBe(true);
});

test("the settings are on screen from asking for them to leaving them", async () => {
  const { actor } = browserWith({ choice: granted });
  actor.start();
  const next = (): Promise<void> =>
    new Promise((resolve) => {
      const stop = actor.subscribe(() => {
        stop();
        resolve();
      });
    });
  const opened = next();
  actor.send({ type: "settings.requested" });
  await opened;
  expect(actor.view().settings).toBeDefined();
  const left = next();
  actor.send({ type: "settings.dismissed" });
  await left;
  expect(actor.view().settings).toBeUndefined();
});

test("a choice made in another tab holds here, whether or not something was decided here", async () => {
  const { actor, storage, heard } = browserWith({});
  actor.start();
  saveChoice(storage, granted);
  actor.refresh();
  expect(actor.view().asking).toBe(false);
  expect(heard.at(-1)).toEqual({ type: "preferences.loaded", preferences: granted.preferences });
  const change = changeOf(actor);
  actor.send({ type: "settings.requested" });
  actor.send({ type: "reject.all" });
  await change;
  saveChoice(storage, granted);
  const loaded = new Promise<ConsentEmitted>((resolve) => actor.listen(resolve));
  actor.refresh();
  expect(await loaded).toMatchObject({ preferences: { analytics: true } });
});

test("a receipt is kept with the choice, and never makes one", () => {
  const known = browserWith({ choice: granted });
  known.actor.keepReceipt("r-1");
  expect(loadChoice(known.storage)?.receiptId).toBe("r-1");
  const fresh = browserWith({});
  fresh.actor.keepReceipt("r-1");
  expect(loadChoice(fresh.storage)).toBeUndefined();
});

test.each([
  ["accept.all", true],
  ["reject.all", false],
] as const)("%s is kept when the visitor leaves before the machine has come", (type, analytics) => {
  const { storage, actor } = browserWith({});
  actor.start();
  actor.send({ type });
  actor.leave();
  expect(loadChoice(storage)).toEqual({
    preferences: { essential: true, analytics, doNotTrack: false },
    noticeVersion: "v1",
    decidedAt: "2026-01-15T00:00:00.000Z",
  });
});

test("leaving without an answer keeps nothing", () => {
  const { storage, actor } = browserWith({});
  actor.start();
  actor.prepare();
  actor.leave();
  expect(loadChoice(storage)).toBeUndefined();
});
