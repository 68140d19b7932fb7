import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { exact, type Group, statedGroups, withholdCohorts, withholdSteps } from "./withholding.ts";

const visitors = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 60 }));
const groupsOf = fc
  .array(visitors, { minLength: 1, maxLength: 9 })
  .map((sizes) =>
    sizes.map((size, at): Group => ({ name: `group-${at}`, visitors: size, amount: 3 * size })),
  );
/**
 * Nothing is known of who is in two groups; at worst no one is.
 * @param namedMax groups that may be named; those with the fewest visitors beyond them come together
 */
const answerTo = (groups: readonly Group[], namedMax = Infinity) => {
  const ordered = groups.toSorted(
    (one, other) => other.visitors - one.visitors || (one.name < other.name ? -1 : 1),
  );
  const [first, others] = [ordered.slice(0, namedMax), ordered.slice(namedMax)];
  const sizeOf = (visitors: number) => ({ visitors, amount: 3 * visitors });
  const rest = others.length === 0 ? undefined : sizeOf(sumOf(others));
  return JSON.stringify(statedGroups(first, sizeOf(sumOf(groups)), { ...exact, rest }));
};

/** Other sizes of the groups with the same total: some visitors of one are in another, or in a new one. */
function otherWorlds(groups: readonly Group[], of: number): Group[][] {
  const places = [...groups.keys(), groups.length];
  return places.flatMap((to) =>
    [-4, -3, -2, -1, 1, 2, 3, 4].flatMap((moved) => {
      if (to === of) return [];
      const fresh = { name: "a new group", visitors: 0, amount: 0 };
      const world = [...groups, fresh].map((group, at) => {
        const change = at === of ? -moved : at === to ? moved : 0;
        const size = group.visitors + change;
        return { ...group, visitors: size, amount: 3 * size };
      });
      if (world.some(({ visitors: own }) => own < 0) || world[of]?.visitors === 0) return [];
      return [world.filter(({ visitors: own }) => own > 0)];
    }),
  );
}

const sumOf = (groups: readonly Group[]): number =>
  groups.reduce((sum, group) => sum + group.visitors, 0);

describe("the groups of an answer", () => {
  it("are never under five, and neither are the others together", () => {
    fc.assert(
      fc.property(groupsOf, (groups) => {
        const shown = statedGroups(groups, { visitors: sumOf(groups), amount: 0 }, exact);
        const sizes = [...shown.groups, ...(shown.others === null ? [] : [shown.others])];
        return sizes.every((group) => group.visitors >= 5);
      }),
      { numRuns: 3000 },
    );
  });

  it("let no group under five be computed: with another size of it the answer is the same", () => {
    fc.assert(
      fc.property(groupsOf, fc.integer({ min: 1, max: 12 }), (groups, namedMax) => {
        const answer = answerTo(groups, namedMax);
        // Where all together are too few, nothing at all is said.
        if (sumOf(groups) < 5) return answer === '{"groups":[],"others":null,"total":null}';
        return groups.every(
          (group, at) =>
            group.visitors >= 5 ||
            otherWorlds(groups, at).some((world) => answerTo(world, namedMax) === answer),
        );
      }),
      { numRuns: 5000 },
    );
  });

  it("all have their names when each is large enough", () => {
    const groups = [
      { name: "direct", visitors: 5, amount: 9 },
      { name: "search", visitors: 8, amount: 8 },
    ];
    const total = { visitors: 12, amount: 17 };
    expect(statedGroups(groups, total, exact)).toEqual({
      groups: [groups[1], groups[0]],
      others: null,
      total,
    });
  });
});

const stepsOf = fc
  .array(visitors, { minLength: 1, maxLength: 6 })
  .map((sizes) => sizes.toSorted((one, other) => other - one));

const isOpen = (visitors: number): boolean => visitors === 0 || visitors >= 5;

describe("the steps of a funnel", () => {
  it("show neither who came so far nor who did not, where they are under five", () => {
    fc.assert(
      fc.property(stepsOf, (steps) => {
        const shown = withholdSteps(steps, exact).filter((step) => step !== null);
        return shown.every((step, at) => isOpen(step) && isOpen((shown[at - 1] ?? step) - step));
      }),
      { numRuns: 3000 },
    );
  });

  it("let no withheld step be computed from those beside it", () => {
    fc.assert(
      fc.property(stepsOf, (steps) => {
        const shown = withholdSteps(steps, exact);
        const answer = JSON.stringify(shown);
        /** The step has another size; those around it are as large or small as that demands. */
        const worlds = (at: number) =>
          [-3, -2, -1, 1, 2, 3].map((moved) => {
            const size = (steps[at] ?? 0) + moved;
            return steps.map((step, of) => {
              if (of === at) return size;
              return of < at ? Math.max(step, size) : Math.min(step, size);
            });
          });
        return shown.every(
          (step, at) =>
            step !== null ||
            worlds(at).some(
              (world) =>
                world.every((size) => size >= 0) &&
                JSON.stringify(withholdSteps(world, exact)) === answer,
            ),
        );
      }),
      { numRuns: 3000 },
    );
  });
});

it("of a cohort, neither those who came again nor those who did not are shown under five", () => {
  const parts = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 8 });
  fc.assert(
    fc.property(fc.array(fc.tuple(visitors, parts), { maxLength: 6 }), (generated) => {
      const cohorts = generated.map(([size, returned], at) => ({
        week: `2026-01-0${at + 1}`,
        visitors: size,
        returned: returned.map((part) => Math.min(part, size)),
      }));
      return withholdCohorts(cohorts, exact).every(
        ({ visitors: size, returned }) =>
          size >= 5 &&
          returned.every((part) => part === null || (isOpen(part) && isOpen(size - part))),
      );
    }),
  );
});
