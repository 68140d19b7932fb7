import { expect, test } from "vitest";

import { endOfDay } from "../local-time.ts";
import { recipientsIn } from "./link-writing.ts";
import { eventsIn } from "./live-opens.ts";

test.each([
  ["2026-11-22", "Asia/Jerusalem", "2026-11-22T21:59:59.000Z"],
  ["2026-07-01", "Asia/Jerusalem", "2026-07-01T20:59:59.000Z"],
  ["2026-11-22", "UTC", "2026-11-22T23:59:59.000Z"],
  ["", "UTC", null],
])("the last instant of %s in %s is %s", (day, zone, instant) => {
  expect(endOfDay(day, zone)).toBe(instant);
});

test("each recipient of a pasted list is taken once, without empty lines", () => {
  expect(recipientsIn(" Acme \r\n\nGlobex  Ltd\nAcme")).toEqual(["Acme", "Globex Ltd"]);
});

test("an open in a stream is read when it is complete; comments and pauses are not opens", () => {
  const begun = eventsIn(': beat\n\nevent: open\ndata: {"a":1}\n\nevent: open\ndata: {"a"');
  expect(begun.data).toEqual(['{"a":1}']);
  expect(eventsIn(`${begun.rest}:2}\n\n`)).toEqual({ data: ['{"a":2}'], rest: "" });
});
