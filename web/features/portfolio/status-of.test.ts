import { PortfolioDocument } from "@pro-talent/schemas/studio/portfolio";
import { Portfolio } from "@pro-talent/schemas/studio/portfolio-calls";
import { expect, test } from "vitest";

import { hasChanges, isInSearch, obstaclesOf, shownLanguages, statusOf } from "./status-of.ts";

const at = "2026-11-22T12:20:00.000Z";
const now = Date.parse(at);
const document = PortfolioDocument.parse({
  version: 1,
  language: "en",
  look: {},
  profile: { fullName: "Dana Levi" },
});
const portfolio = Portfolio.parse({
  state: "published",
  locked: false,
  expiresAt: null,
  inSearch: true,
  contactForm: false,
  pages: [
    { language: "en", version: 3, savedAt: at, published: { version: 2, at }, document },
    { language: "he", version: 1, savedAt: at, published: null, document },
  ],
  takenDown: false,
  mayPublish: true,
  mayCustomize: true,
});
const pictured = PortfolioDocument.parse({
  ...document,
  look: { theme: "poster" },
  sections: [true, false].map((shown, index) => ({
    id: `s${index}`,
    kind: "projects",
    shown,
    entries: [
      {
        id: `e${index}`,
        pictures: [{ id: `p${index}`, file: "0198c5a0-7c1e-7b5a-9d2e-3f4a5b6c7d01" }],
      },
    ],
  })),
});

test("readers see what is published, or the first reason why they do not is named", () => {
  const status = (changes: Partial<Portfolio>, handle: string | null = "dana") =>
    statusOf({ ...portfolio, ...changes }, handle, now);
  expect(status({})).toBe("published");
  expect(status({ state: "unlisted" })).toBe("unlisted");
  expect(status({ state: "draft", mayPublish: false })).toBe("draft");
  expect(status({ takenDown: true, mayPublish: false })).toBe("taken-down");
  expect(status({ mayPublish: false })).toBe("not-included");
  expect(status({}, null)).toBe("no-handle");
  expect(status({ expiresAt: portfolio.pages[0]?.savedAt ?? null })).toBe("ended");
});

test("a page that was edited since it was published has changes; one that no reader sees has none", () => {
  expect(shownLanguages(portfolio)).toEqual(["en"]);
  expect(hasChanges(portfolio)).toBe(true);
  const published = portfolio.pages.map((page) => ({
    ...page,
    published: page.published && { ...page.published, version: page.version },
  }));
  expect(hasChanges({ ...portfolio, pages: published })).toBe(false);
});

test("search engines may list a published page without a password alone", () => {
  expect(isInSearch(portfolio, "published")).toBe(true);
  expect(isInSearch(portfolio, "unlisted")).toBe(false);
  expect(isInSearch({ ...portfolio, locked: true }, "published")).toBe(false);
  expect(isInSearch({ ...portfolio, inSearch: false }, "published")).toBe(false);
});

test("what is missing is counted: plan, address, look, and pictures of shown sections without text", () => {
  expect(obstaclesOf(portfolio, "dana", [document])).toEqual([]);
  expect(obstaclesOf({ ...portfolio, mayCustomize: false }, "dana", [pictured])).toEqual([
    { kind: "look" },
    { kind: "pictures", count: 1 },
  ]);
  expect(obstaclesOf({ ...portfolio, mayPublish: false, mayCustomize: false }, null, [])).toEqual([
    { kind: "not-included" },
    { kind: "no-handle" },
    { kind: "no-page" },
  ]);
});
