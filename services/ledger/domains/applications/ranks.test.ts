import fc from "fast-check";
import { expect, it } from "vitest";

import { byRank, placeAt, type Ranked } from "./ranks.ts";

const change = (list: readonly Ranked[], changed: readonly Ranked[]): Ranked[] => {
  const ranks = new Map([...list, ...changed].map(({ id, rank }) => [id, rank]));
  return [...ranks].map(([id, rank]) => ({ id, rank })).toSorted(byRank);
};
const idsOf = (list: readonly Ranked[]): string[] => list.map(({ id }) => id);

it("what is placed in a list comes where it was placed, whatever was placed before", () => {
  const steps = fc.array(fc.record({ at: fc.nat(), count: fc.integer({ min: 1, max: 20 }) }), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(steps, (placed) => {
      let list: Ranked[] = [];
      for (const [step, { at, count }] of placed.entries()) {
        const index = at % (list.length + 1);
        const ids = Array.from({ length: count }, (_, number) => `${step}-${number}`);
        const expected = idsOf(list).toSpliced(index, 0, ...ids);
        list = change(list, placeAt(list, index, ids));
        expect(idsOf(list)).toEqual(expected);
        expect(new Set(list.map(({ rank }) => rank)).size).toBe(list.length);
      }
    }),
  );
});

it.each([
  ["before the one that came last", () => 1],
  ["at the beginning", () => 0],
  ["at the end", (list: readonly Ranked[]) => list.length],
])("ranks stay short when a thousand are placed one after the other %s", (_where, indexOf) => {
  let list = change([], placeAt([], 0, ["first", "last"]));
  for (let number = 0; number < 1000; number += 1)
    list = change(list, placeAt(list, indexOf(list), [`${number}`]));
  expect(Math.max(...list.map(({ rank }) => rank.length))).toBeLessThanOrEqual(40);
});

it("lists that were joined, with equal ranks and ranks of one value, have space again", () => {
  const list = ["V", "V", "V0", "V00000", "V00000"].map((rank, id) => ({ id: `${id}`, rank }));
  const after = change(list, placeAt(list, 2, ["new"]));
  expect(idsOf(after)).toEqual(["0", "1", "new", "2", "3", "4"]);
});
