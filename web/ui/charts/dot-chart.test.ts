import { expect, test } from "vitest";

import { layersOf } from "./dot-chart.tsx";

test("dots closer than their width are stacked, and a free layer is used again", () => {
  expect(layersOf([0, 5, 20, 22], 10)).toEqual([0, 1, 0, 1]);
  expect(layersOf([0, 1, 2, 40], 10)).toEqual([0, 1, 2, 0]);
  expect(layersOf([], 10)).toEqual([]);
});
