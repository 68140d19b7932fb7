import { expect, test } from "vitest";

import { namesOf } from "./map-chart.tsx";

const places = [
  { country: "IL", name: "Israel", value: 16 },
  { country: "US", name: "United States", value: 8 },
  { country: "DE", name: "Germany", value: 4 },
  { country: "IN", name: "India", value: 1 },
];
const named = (inlineSize: number) => namesOf(places, inlineSize).map(({ country }) => country);

test("a wide map names its largest places; on a phone no name covers a larger one's", () => {
  expect(named(1100)).toEqual(["IL", "US", "DE"]);
  expect(named(320)).toEqual(["IL", "US"]);
});
