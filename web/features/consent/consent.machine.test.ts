import { describe, expect, test } from "vitest";
import { initialTransition, type SnapshotFrom, transition } from "xstate";

import {
  type ConsentChoice,
  type ConsentEvent,
  type ConsentState,
  consentStatus,
  type ConsentTerms,
  currentTerms,
} from "./consent-choice.ts";
import { consentMachine, consentState } from "./consent.machine.ts";

const nothingShown: ConsentState = {
  choice: undefined,
  asking: false,
  settings: false,
  decision: undefined,
};
const granted: ConsentChoice = {
  preferences: { essential: true, analytics: true, doNotTrack: false },
  noticeVersion: "v2",
};
const refused: ConsentChoice = {
  preferences: { essential: true, analytics: false, doNotTrack: false },
  noticeVersion: "v2",
  decidedAt: "2026-01-01T00:00:00.000Z",
};
const terms = (signal?: ConsentTerms["signal"]): ConsentTerms => ({
  ...currentTerms(signal),
  noticeVersion: "v2",
  now: () => Date.UTC(2026, 0, 15),
});

type Setting = { name: string; terms: ConsentTerms; stored: ConsentChoice | undefined };
const settings: readonly Setting[] = [
  { name: "nothing stored", terms: terms(), stored: undefined },
  { name: "analytics granted before", terms: terms(), stored: granted },
  { name: "analytics refused before", terms: terms(), stored: refused },
  { name: "Do Not Track", terms: terms("dnt"), stored: undefined },
  { name: "Global Privacy Control after a grant", terms: terms("gpc"), stored: granted },
];

const visitorEvents: readonly ConsentEvent[] = [
  { type: "accept.all" },
  { type: "reject.all" },
  { type: "save", analytics: true },
  { type: "save", analytics: false },
  { type: "reset" },
  { type: "settings.requested" },
  { type: "settings.dismissed" },
  { type: "backdrop.clicked" },
];
const otherEvents: readonly ConsentEvent[] = [
  { type: "receipt.arrived", receiptId: "r-1" },
  ...[undefined, granted, refused].map((choice): ConsentEvent => ({
    type: "storage.read",
    choice,
  })),
];

type Stored = ConsentChoice | undefined;
type Snapshot = SnapshotFrom<typeof consentMachine>;
const begun = (choice: Stored, under = terms()): Snapshot =>
  initialTransition(consentMachine, { terms: under, choice })[0];
const next = (snapshot: Snapshot, event: ConsentEvent): Snapshot =>
  transition(consentMachine, snapshot, event)[0];
const opened = (stored: Stored, under = terms()): ConsentState =>
  consentState(begun(stored, under));
const after = (stored: Stored, events: readonly ConsentEvent[], under = terms()): ConsentState =>
  consentState(events.reduce(next, begun(stored, under)));

/** Every state that events lead to, each with the event that led to it first. */
function reachable({ stored, terms: under }: Setting) {
  const start = begun(stored, under);
  const found = new Map([[JSON.stringify(consentState(start)), start]]);
  const steps: { before: ConsentState; event: ConsentEvent; state: ConsentState }[] = [];
  for (const snapshot of found.values()) {
    for (const event of [...visitorEvents, ...otherEvents]) {
      const reached = next(snapshot, event);
      const state = consentState(reached);
      steps.push({ before: consentState(snapshot), event, state });
      if (!found.has(JSON.stringify(state))) found.set(JSON.stringify(state), reached);
    }
  }
  return steps;
}

describe("what a visitor sees", () => {
  test("the banner, when nothing is stored", () => {
    expect(opened(undefined)).toEqual({ ...nothingShown, asking: true });
  });

  test("nothing, when there is a valid choice or the browser has refused already", () => {
    expect(opened(granted).asking).toBe(false);
    expect(opened(refused).asking).toBe(false);
    expect(opened(undefined, terms("dnt")).asking).toBe(false);
    expect(opened(granted, terms("gpc")).asking).toBe(false);
  });

  test("the banner again, when the text has changed", () => {
    const older = { ...granted, noticeVersion: "v1" };
    expect(opened(older)).toEqual({ ...nothingShown, asking: true });
  });

  test("the banner again six months after a refusal, not before", () => {
    expect(opened({ ...refused, decidedAt: "2025-07-14T00:00:00.000Z" }).asking).toBe(true);
    expect(opened({ ...refused, decidedAt: "2025-07-16T00:00:00.000Z" }).asking).toBe(false);
    expect(opened({ ...refused, decidedAt: "yesterday" }).asking).toBe(false);
  });

  test("the banner under the settings; the backdrop closes both without a choice", () => {
    const open: ConsentEvent = { type: "settings.requested" };
    expect(after(undefined, [open])).toMatchObject({ asking: true, settings: true });
    expect(after(undefined, [open, { type: "settings.dismissed" }])).toEqual(opened(undefined));
    expect(after(undefined, [open, { type: "backdrop.clicked" }])).toEqual(nothingShown);
  });
});

describe("a decision", () => {
  const open: ConsentEvent = { type: "settings.requested" };
  test.each<[ConsentEvent[], string, string, boolean]>([
    [[{ type: "accept.all" }], "accept_all", "banner", true],
    [[{ type: "reject.all" }], "reject_all", "banner", false],
    [[open, { type: "accept.all" }], "accept_all", "settings", true],
    [[open, { type: "reject.all" }], "reject_all", "settings", false],
    [[open, { type: "save", analytics: true }], "customise", "settings", true],
    [[open, { type: "save", analytics: false }], "customise", "settings", false],
  ])("by %j is %s in the %s", (events, method, surface, analytics) => {
    expect(after(undefined, events)).toEqual({
      choice: {
        preferences: { essential: true, analytics, doNotTrack: false },
        noticeVersion: "v2",
        decidedAt: "2026-01-15T00:00:00.000Z",
      },
      asking: false,
      settings: false,
      decision: { method, surface },
    });
  });

  test("needs something on screen", () => {
    expect(after(granted, [{ type: "reject.all" }])).toEqual(opened(granted));
  });

  test("under a signal states the signal, and grants nothing", () => {
    const state = after(undefined, [open, { type: "save", analytics: true }], terms("gpc"));
    expect(state.decision?.method).toBe("gpc");
    expect(state.choice?.preferences).toEqual({
      essential: true,
      analytics: false,
      doNotTrack: true,
    });
  });

  test("that is reset is no rejection: the choice is gone, and the visitor is asked again", () => {
    expect(after(granted, [open, { type: "reset" }])).toEqual({
      choice: undefined,
      asking: true,
      settings: false,
      decision: { method: "reset", surface: "settings" },
    });
  });
});

describe.each(settings)("with $name", (setting) => {
  const steps = reachable(setting);
  const { signal } = setting.terms;

  test("every reachable state keeps the rules", () => {
    expect(steps.length).toBeGreaterThan(50);
    for (const { state } of steps) {
      const status = consentStatus(state.choice, setting.terms);
      const rules = {
        "a signal overrides every choice": signal === undefined || status === "refused",
        "only the undecided are asked": !state.asking || status === "undecided",
        "a choice decides": state.choice === undefined || status !== "undecided",
      };
      expect(Object.entries(rules).filter(([, kept]) => !kept)).toEqual([]);
    }
  });

  test("only a decision, a reset or storage changes what is allowed", () => {
    const deciding = ["accept.all", "reject.all", "save", "reset", "storage.read"];
    for (const { before, event, state } of steps) {
      if (deciding.includes(event.type)) continue;
      const statuses = [before, state].map(({ choice }) => consentStatus(choice, setting.terms));
      expect(statuses[0]).toBe(statuses[1]);
      expect(state.decision).toEqual(before.decision);
    }
  });
});
