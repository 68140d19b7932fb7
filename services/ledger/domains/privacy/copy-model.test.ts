import { describe, expect, it, vi } from "vitest";

import { guards } from "./guards.decider.ts";
import { type CopyBounds, copyModel } from "./testing/copy-model.ts";
import { type CopyBug, copyBugs } from "./testing/copy-world.ts";
import { explore } from "./testing/explore.ts";

const once: CopyBounds = { proposals: 1, discards: 0, disasters: false };
const twice: CopyBounds = { ...once, proposals: 2 };
const again: CopyBounds = { proposals: 2, discards: 1, disasters: true };

it("a copy in review keeps every promise and ends, in every order of what officers and workers do", () => {
  const { states, ...found } = explore(copyModel(once), 200_000);
  console.log(states);
  expect(found).toEqual({ complete: true, broken: null, stuck: null });
});

it("keeps its promises also when it is collected anew, what was collected is lost, and work fails", () => {
  const { broken, stuck } = explore(copyModel(again), 40_000);
  expect({ broken, stuck }).toEqual({ broken: null, stuck: null });
}, 60_000);

/** Where each planted fault shows: a promise that it breaks, or a state from which there is no end. */
const shown: Readonly<Record<CopyBug, RegExp>> = {
  "the officer who proposed confirms for another": /confirmed what was not seen|one officer/,
  "leaves a confirmed redaction out": /not what was confirmed/,
  "seals what is held now, not what was reviewed": /not what was confirmed/,
  "seals without the review": /no end/,
  "keeps what was collected": /no end/,
};

describe("the check finds a planted fault", () => {
  it.each(copyBugs)("%s", (bug) => {
    const { broken, stuck } = explore(copyModel(once, bug), 200_000);
    console.log(bug, broken, stuck);
    const found = broken?.promises.join() ?? (stuck === null ? "nothing" : "no end");
    expect(found).toMatch(shown[bug]);
  });
});

describe("the check finds a condition of a review that is missing", () => {
  it.each([
    ["other-officer", once, /one officer withholds alone/],
    ["nothing-proposed", once, /released against another officer/],
    ["as-proposed", twice, /confirmed what was not seen/],
    ["as-collected", again, /not what was confirmed/],
    ["review-done", once, /sealed without its review/],
  ] as const)("%s", (guard, bounds, expected) => {
    const missing = vi.spyOn(guards, guard).mockReturnValue(true);
    try {
      const { broken } = explore(copyModel(bounds), 200_000);
      console.log(guard, broken);
      expect(broken?.promises.join()).toMatch(expected);
    } finally {
      missing.mockRestore();
    }
  });
});
