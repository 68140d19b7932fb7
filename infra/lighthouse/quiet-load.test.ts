import { expect, test } from "vitest";

import { quietLoad } from "./quiet-load.ts";

const loads = (...shares: number[]) => {
  const left = [...shares];
  return {
    left,
    once: () => Promise.resolve({ percentTaken: left.shift() ?? 0, of: left.length }),
  };
};

test("a load from which the host took no more than three percent counts", async () => {
  const { once, left } = loads(3, 0);
  expect(await quietLoad(once)).toEqual({ load: { percentTaken: 3, of: 1 }, repeated: [] });
  expect(left).toHaveLength(1);
});

test("a load that the host disturbed is repeated, whatever it showed, and is told of", async () => {
  const { once } = loads(11, 3.1, 0.2);
  expect(await quietLoad(once)).toEqual({
    load: { percentTaken: 0.2, of: 0 },
    repeated: [11, 3.1],
  });
});

test("on a host that does not get quiet the sixth load counts", async () => {
  const { once, left } = loads(9, 9, 9, 9, 9, 8, 9);
  const { load, repeated } = await quietLoad(once);
  expect(load.percentTaken).toBe(8);
  expect(repeated).toEqual([9, 9, 9, 9, 9]);
  expect(left).toHaveLength(1);
});
