import { expect, test } from "vitest";

import { routeOf } from "../routes.ts";
import { addressOf, isListed } from "./page-address.ts";

test("English has the clean address, Hebrew one of its own", () => {
  expect(addressOf("/about", "en")).toBe("/about");
  expect(addressOf("/about", "he")).toBe("/about?lang=he");
  expect(addressOf("/", "he")).toBe("/?lang=he");
});

test("pages that only a mail or a form leads to are not listed, nor is that of unknown paths", () => {
  const unlisted = [
    "/nowhere",
    "/404",
    "/newsletter/confirm",
    "/newsletter/confirmed",
    "/newsletter/preferences",
    "/newsletter/never",
    "/answer",
  ];
  expect(unlisted.filter((path) => isListed(routeOf(path)))).toEqual([]);
  expect(["/", "/pricing", "/terms"].every((path) => isListed(routeOf(path)))).toBe(true);
});
