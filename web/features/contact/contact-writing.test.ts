import { contactLimits } from "@pro-talent/schemas/contact/limits";
import { expect, test } from "vitest";

import { startWritingClock } from "./contact-writing.ts";

function clockAt(start: number) {
  let at = start;
  const clock = startWritingClock(() => at);
  return { clock, pass: (ms: number) => void (at += ms) };
}

test("counts from the first touch to the asking, in whole milliseconds", () => {
  const { clock, pass } = clockAt(1000.2);
  expect(clock.passed()).toBeUndefined();
  clock.touched();
  pass(1500.4);
  clock.touched();
  pass(500);
  expect(clock.passed()).toBe(2000);
});

test("reports no time for typing that began before the measurement", () => {
  const { clock, pass } = clockAt(0);
  clock.missed();
  clock.touched();
  pass(50);
  expect(clock.passed()).toBeUndefined();
});

test("begins anew with the next submission", () => {
  const { clock, pass } = clockAt(0);
  clock.missed();
  clock.reset();
  clock.touched();
  pass(70);
  expect(clock.passed()).toBe(70);
});

test("says nothing that the contract would refuse", () => {
  const { clock, pass } = clockAt(0);
  clock.touched();
  pass(contactLimits.writingMsMax + 1);
  expect(clock.passed()).toBeUndefined();
});
