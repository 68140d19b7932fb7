import { expect, test } from "vitest";

import { routeOf } from "../routes.ts";
import { addressOf, isListed } from "./page-address.ts";

test("English has the clean address, Hebrew one of its own", () => {
  expect(addressOf("/about", "en")).toBe("/about");
  expect(addressOf("/about", "he")).toBe("/about?lang=he");
  expect(addressOf("/", "he")).toBe("/?lang=he");
});

test("the page for unknown paths and the one after confirming are not listed", () => {
  expect(
    ["/nowhere", "/404", "/newsletter/confirmed"].map((path) => isListed(routeOf(path))),
  ).toEqual([false, false, false]);
  expect(["/", "/pricing", "/terms"].every((path) => isListed(routeOf(path)))).toBe(true);
});
