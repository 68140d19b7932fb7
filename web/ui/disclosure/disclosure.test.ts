import { expect, test } from "vitest";

import { closed, type DisclosureEvent, disclosureAfter } from "./disclosure.ts";

const after = (...events: DisclosureEvent[]) => events.reduce(disclosureAfter, closed);

const entered = { type: "pointer.entered" } as const;
const pressed = { type: "pressed" } as const;
const dismissed = { type: "dismissed" } as const;
const left = (at: number) => ({ type: "pointer.left", at }) as const;
const passed = (at: number) => ({ type: "time.passed", at }) as const;

test("pointing opens it, and it closes 200 ms after the pointer has left, not before", () => {
  expect(after(entered).open).toBe(true);
  expect(after(entered, left(1000), passed(1199)).open).toBe(true);
  expect(after(entered, left(1000), passed(1200)).open).toBe(false);
});

test("coming back in time keeps it open", () => {
  expect(after(entered, left(1000), entered, passed(1200)).open).toBe(true);
});

test("leaving a second time counts from then", () => {
  expect(after(entered, left(1000), entered, left(1150), passed(1200)).open).toBe(true);
  expect(after(entered, left(1000), entered, left(1150), passed(1350)).open).toBe(false);
});

test("a press opens it and the next press closes it", () => {
  expect(after(pressed).open).toBe(true);
  expect(after(pressed, pressed)).toEqual(closed);
});

test("a press on what pointing has opened does not close it at once; a second one does", () => {
  expect(after(entered, pressed).open).toBe(true);
  expect(after(entered, pressed, pressed).open).toBe(false);
});

test("what a press has opened closes too when the pointer leaves", () => {
  expect(after(entered, pressed, left(1000), passed(1200)).open).toBe(false);
});

test("a press before the delay is over keeps to the delay", () => {
  expect(after(entered, left(1000), pressed, passed(1200)).open).toBe(false);
});

test("what the keyboard has opened stays until it is dismissed", () => {
  expect(after(pressed, passed(9000)).open).toBe(true);
  expect(after(pressed, dismissed)).toEqual(closed);
});

test("being dismissed forgets a closing that was due", () => {
  expect(after(entered, left(1000), dismissed, pressed, passed(1200)).open).toBe(true);
});

test("a pointer that leaves what is closed opens nothing", () => {
  expect(after(left(1000), passed(1200))).toEqual(closed);
});
