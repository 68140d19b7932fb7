import { describe, expect, it, vi } from "vitest";

import { guards } from "./guards.decider.ts";
import { type CopyBounds, copyModel } from "./testing/copy-model.ts";
import { type CopyBug, copyBugs } from "./testing/copy-world.ts";
import { explore } from "./testing/explore.ts";

const once: CopyBounds = { proposals: 1, discards: 0, disasters: false };
const collectedAnew: CopyBounds = { ...once, discards: 1 };

it("a copy in review keeps every promise and ends, in every order of what officers and workers do", () => {
  const { states, ...found } = explore(copyModel(once), 200_000);
  expect(states).toBeGreaterThan(10_000);
  expect(found).toEqual({ complete: true, broken: null, stuck: null });
});

/** Where each planted fault shows: a promise that it breaks, or a state from which there is no end. */
const shown: Readonly<Record<CopyBug, RegExp>> = {
  "leaves a confirmed redaction out": /not what was confirmed/,
  "seals what is held now, not what was reviewed": /not what was confirmed/,
  // The decider refuses it; see below.
  "seals without the review": /nothing/,
  "keeps what was collected": /no end/,
};

describe("the check finds a planted fault", () => {
  it.each(copyBugs)("%s", (bug) => {
    const { broken, stuck } = explore(copyModel(once, bug), 200_000);
    const found = broken?.promises.join() ?? (stuck === null ? "nothing" : "no end");
    expect(found).toMatch(shown[bug]);
  });
});

describe("the check finds a condition of a review that is missing", () => {
  it.each([
    ["other-officer", once, null, /one officer withholds alone/],
    ["nothing-proposed", once, null, /released against another officer/],
    ["as-proposed", once, null, /confirmed what was sent back/],
    ["as-collected", collectedAnew, null, /not what was confirmed/],
    ["review-done", once, "seals without the review", /sealed without its review/],
    ["as-confirmed", once, "leaves a confirmed redaction out", /not what was confirmed/],
  ] as const)("%s", (guard, bounds, bug, expected) => {
    const missing = vi.spyOn(guards, guard).mockReturnValue(true);
    try {
      const { broken } = explore(copyModel(bounds, bug), 400_000);
      expect(broken?.promises.join()).toMatch(expected);
    } finally {
      missing.mockRestore();
    }
  });
});
