import { expect, test } from "vitest";

import { modulesOfFirstVisit, overruns } from "./budget.ts";

const budget = {
  ceiling: 5000,
  signedInCeiling: 7000,
  tolerance: 1000,
  recorded: { "/": { en: 3000, he: 4500 } },
};

test("what is recorded, or grew by no more than the tolerance, keeps the budget", () => {
  expect(overruns(budget, { "/": { en: 3000, he: 4500 } })).toEqual([]);
  expect(overruns(budget, { "/": { en: 4000, he: 4000 } })).toEqual([]);
});

test("growth beyond the tolerance breaks it", () => {
  expect(overruns(budget, { "/": { en: 4001, he: 4500 } })).toEqual([
    "/ in en: 4001 bytes, 1001 more than recorded",
  ]);
});

test("nothing may pass the ceiling, whatever was recorded", () => {
  expect(overruns(budget, { "/": { en: 3000, he: 5001 } })).toEqual([
    "/ in he: 5001 bytes, the ceiling is 5000",
  ]);
});

test("pages of the signed-in area have a ceiling of their own", () => {
  const recorded = { "/login": { en: 6500 } };
  const signedIn = { ...budget, recorded };
  expect(overruns(signedIn, recorded)).toEqual([]);
  expect(overruns(signedIn, { "/login": { en: 7001 } })).toEqual([
    "/login in en: 7001 bytes, the ceiling is 7000",
  ]);
});

test("a new page has to be recorded, and a removed page has to be taken out", () => {
  expect(overruns(budget, { "/": { en: 3000 }, "/new": { en: 1 } })).toEqual([
    "/new in en: not recorded",
    "/ in he: recorded, but not built",
  ]);
});

test("a first visit loads its page, and the texts of page and shell, but no form's machine", () => {
  const texts = { file: "assets/texts.js" };
  const manifest = {
    "app/main.tsx": { file: "assets/main.js", imports: ["_libraries-x.js"] },
    "_libraries-x.js": { file: "assets/libraries.js" },
    "_texts-he-x.js": { file: "assets/texts-he.js" },
    "pages/about/about-page.tsx": { file: "assets/about-page.js" },
    "i18n/he/about.json": texts,
    "features/newsletter/subscribe.machine.ts": { file: "assets/machine.js" },
  };
  const route = { path: "/about", page: "about", namespaces: ["about"], sections: [] } as const;
  expect(modulesOfFirstVisit(manifest, route, "he")).toEqual([
    "/assets/main.js",
    "/assets/libraries.js",
    "/assets/texts-he.js",
    "/assets/about-page.js",
    "/assets/texts.js",
  ]);
});
