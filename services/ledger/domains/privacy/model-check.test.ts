import { describe, expect, it, vi } from "vitest";

import { guards } from "./guards.decider.ts";
import { copyModel } from "./testing/copy-model.ts";
import { explore } from "./testing/explore.ts";
import { type Bounds, deletionModel } from "./testing/model.ts";
import { reviewModel } from "./testing/review-model.ts";
import { type Bug, bugs } from "./testing/world.ts";

const small: Bounds = { officers: 0, workers: 1, holder: true, disasters: "none" };
const held: Bounds = { ...small, officers: 1 };
/** With a holder who acts meanwhile; without a limit: `npm run faults -- privacy-model`. */
const heldTwice: Bounds = { ...held, workers: 2 };
const twoOfficers: Bounds = { ...small, officers: 2 };
const heldBackedUp: Bounds = { ...held, disasters: "backups" };
const backedUp: Bounds = { ...small, holder: false, disasters: "backups" };
const restored: Bounds = { ...backedUp, disasters: "restores" };
const heldAlone: Bounds = { ...held, holder: false };
const duplicated: Bounds = { ...small, workers: 2 };

describe("a deletion, in every order of events", () => {
  it.each([
    ["with an officer who places and releases holds", held],
    ["with an officer, and a holder who does nothing more", heldAlone],
    ["with a job that is delivered to two workers", duplicated],
    ["with a backup and events that arrive late", backedUp],
    ["with a backup that is restored", restored],
  ])("keeps every promise and ends, %s", (_case, bounds) => {
    const { states, ...found } = explore(deletionModel(bounds), 200_000);
    expect(found).toEqual({ complete: true, broken: null, stuck: null });
    expect(states).toBeGreaterThan(1000);
  });
});

it("keeps every promise in half a million states of a deletion and a copy, in every order of what people, workers and backups do", () => {
  const explored = [
    explore(deletionModel(heldTwice), 250_000),
    explore(deletionModel(twoOfficers), 250_000),
    explore(deletionModel(heldBackedUp), 280_000),
    explore(copyModel({ proposals: 2, discards: 1, disasters: true }), 40_000),
  ];
  for (const { broken, stuck } of explored)
    expect({ broken, stuck }).toEqual({ broken: null, stuck: null });
  const states = explored.reduce((sum, one) => sum + one.states, 0);
  expect(states).toBeGreaterThanOrEqual(500_000);
}, 300_000);

it.each(["access", "correct", "cancel-deletion"] as const)(
  "a request of type %s keeps every promise, whatever is tried and when",
  (type) => {
    const { states, ...found } = explore(reviewModel(type), 8000);
    expect(found.broken).toBeNull();
    expect(states).toBeGreaterThan(10);
  },
);

/** Where each planted fault shows: a promise that it breaks, or a state from which there is no end. */
const shown: Readonly<Record<Bug, readonly [Bounds, RegExp]>> = {
  "cancels without a version check": [small, /an event that can not be/],
  "claims without a version check": [small, /an event that can not be/],
  "claims by the worker's own clock": [small, /claimed before its day/],
  "erases before the journal is written": [small, /without an entry in the journal/],
  "records a step without erasing": [small, /key destroyed too early/],
  "records the suppression without a collector that refuses": [
    backedUp,
    /something is left|key destroyed too early/,
  ],
  "opens a restored backup without the journal": [restored, /serves a subject that was erased/],
  "completes by a timer, not by the manifest of backups": [
    backedUp,
    /completed, and something is left/,
  ],
  "does not wake again after a hold": [heldAlone, /no end/],
  "relies on one job of the queue": [small, /no end/],
  "destroys the key first": [small, /key destroyed too early/],
  "offers no retry": [held, /no end/],
};

describe("the check finds a planted fault", () => {
  it.each(bugs)("%s", (bug) => {
    const [bounds, expected] = shown[bug];
    const { broken, stuck } = explore(deletionModel(bounds, bug), 200_000);
    const found = broken?.promises.join() ?? (stuck === null ? "nothing" : "no end");
    expect(found).toMatch(expected);
  });
});

const ofReviews = [
  ["identity-in-time", "access", /verified too late/],
  ["identity-lapsed", "access", /expired too early/],
  ["lease-free", "access", /taken from another officer/],
  ["lease-held", "access", /decided without having it/],
  ["lease-held", "correct", /decided without having it/],
  ["before-due", "access", /extended after the due date/],
  ["first-extension", "access", /extended twice/],
  ["second-officer", "access", /a suspicion of one officer/],
  ["past-due", "access", /late before its day/],
  ["package-valid", "access", /downloaded after its end|more than five/],
  ["package-lapsed", "access", /a package ended early/],
  ["step-open", "access", /a step done twice/],
  ["work-open", "access", /failed at a step/],
  ["steps-done", "access", /a step is missing|a store is missing/],
  ["steps-done", "correct", /a step is missing/],
  ["nothing-left", "correct", /something is left/],
] as const;

describe("the check finds a condition of a review that is missing", () => {
  it.each(ofReviews)("%s, of a request of type %s", (guard, type, expected) => {
    const missing = vi.spyOn(guards, guard).mockReturnValue(true);
    try {
      const { broken } = explore(reviewModel(type), 60_000);
      expect(broken?.promises.join()).toMatch(expected);
    } finally {
      missing.mockRestore();
    }
  });
});

it("at least 25 planted faults are found", () => {
  expect(bugs.length + ofReviews.length + 3).toBeGreaterThanOrEqual(25);
});

describe("the check finds a condition of the decider that is missing", () => {
  it.each([
    ["not-held", held, /claimed under a hold/],
    ["grace-over", small, /claimed before its day/],
    ["backups-aged", backedUp, /completed, and something is left/],
  ] as const)("%s", (guard, bounds, expected) => {
    const missing = vi.spyOn(guards, guard).mockReturnValue(true);
    try {
      const { broken } = explore(deletionModel(bounds), 200_000);
      expect(broken?.promises.join()).toMatch(expected);
    } finally {
      missing.mockRestore();
    }
  });
});
