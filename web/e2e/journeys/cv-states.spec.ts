import { afterAll, beforeAll, expect, test } from "vitest";

import { type CvAnswers, cvId, visitCvs } from "../cv-answers.ts";
import { inTurn, type Language, type Stack, startPages } from "../fixtures.ts";
import { notIncluded, ok } from "../link-answers.ts";
import { accessibilityFaults, overflowFaults, targetFaults } from "../page-faults.ts";
import { texts } from "../texts.ts";

/** The list of CVs and the editor in each state that a view of data has, at the width of a phone and of a screen. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const one = `/cv/${cvId}`;
const refused = { status: 400, json: { code: "x", error: "No." } };
const denied = { status: 403, json: { code: "x", error: "No." } };
const instead =
  (call: string, answer: Parameters<CvAnswers["instead"]["set"]>[1]) =>
  (answers: CvAnswers): void => {
    answers.instead.set(call, answer);
  };
/** The same of a call about links. */
const links =
  (call: string, answer: CvAnswers["links"][string]) =>
  (answers: CvAnswers): void => {
    answers.links = { ...answers.links, [call]: answer };
  };
const refusedLinks = { status: 400, body: { code: "x", error: "No." } };

type State = {
  state: string;
  path: string;
  prepare?: (answers: CvAnswers) => void;
  shown: (language: Language) => string;
};
const states: readonly State[] = [
  {
    state: "the list that is awaited",
    path: "/cv",
    prepare: instead("GET /api/cvs", "awaited"),
    shown: (language) => texts[language].cv.loading,
  },
  {
    state: "the list before the first CV",
    path: "/cv",
    prepare: (answers) => {
      answers.hasCv = false;
    },
    shown: (language) => texts[language].cv.empty.title,
  },
  {
    state: "the archive without a CV",
    path: "/cv?show=archived",
    shown: (language) => texts[language].cv.archive.empty,
  },
  {
    state: "the list that cannot be loaded",
    path: "/cv",
    prepare: instead("GET /api/cvs", refused),
    shown: (language) => texts[language].account.view.failedBody,
  },
  {
    state: "the list that is not allowed",
    path: "/cv",
    prepare: instead("GET /api/cvs", denied),
    shown: (language) => texts[language].account.view.denied,
  },
  { state: "the list", path: "/cv", shown: () => "Head nurse, Haifa" },
  {
    state: "the list without its pictures",
    path: "/cv",
    prepare: instead("POST /api/cvs/preview", refused),
    shown: () => "Head nurse, Haifa",
  },
  {
    state: "a CV that is awaited",
    path: one,
    prepare: instead(`GET /api/cvs/${cvId}`, "awaited"),
    shown: (language) => texts[language].cv.loadingOne,
  },
  {
    state: "a CV that there is not",
    path: "/cv/0198c5a0-7c1e-7b5a-9d2e-000000000000",
    shown: (language) => texts[language].cv.unknown.title,
  },
  { state: "the form", path: one, shown: (language) => texts[language].cv.profile.headlineHint },
  {
    state: "a page that cannot be drawn",
    path: `${one}?part=page`,
    prepare: instead("POST /api/cvs/preview", { status: 422, json: { code: "cv_not_drawn" } }),
    shown: (language) => texts[language].cv.page["not-drawn"],
  },
  {
    state: "the look",
    path: `${one}?part=look`,
    shown: (language) => texts[language].cv.templates.editorial,
  },
  {
    state: "the files and what programs read",
    path: `${one}?part=export`,
    shown: (language) => texts[language].cv.check.advice["prefer-docx"],
  },
  {
    state: "the files without what programs read",
    path: `${one}?part=export`,
    prepare: instead(`GET /api/cvs/${cvId}/check`, refused),
    shown: (language) => texts[language].account.view.failedBody,
  },
  { state: "the versions", path: `${one}?part=versions`, shown: () => "For Rambam" },
  {
    state: "the list without the opens of links",
    path: "/cv",
    prepare: links("/api/insights/links", refusedLinks),
    shown: (language) => texts[language].cv.share.incomplete,
  },
  {
    state: "the links of a CV that are awaited",
    path: `${one}?part=share`,
    prepare: links("/api/links", "awaited"),
    shown: (language) => texts[language].cv.share.loading,
  },
  {
    state: "a CV before its first link",
    path: `${one}?part=share`,
    prepare: links("/api/links", ok({ links: [], linksMax: 500 })),
    shown: (language) => texts[language].cv.share.emptyBody,
  },
  {
    state: "the links of a CV without their opens",
    path: `${one}?part=share`,
    prepare: links("/api/insights/links", refusedLinks),
    shown: (language) => texts[language].cv.share.incomplete,
  },
  {
    state: "the links of a CV in a plan without opens",
    path: `${one}?part=share`,
    prepare: links("/api/insights/links", notIncluded),
    shown: (language) => texts[language].cv.share.notIncluded,
  },
  {
    state: "the links of a CV that cannot be loaded",
    path: `${one}?part=share`,
    prepare: links("/api/links", refusedLinks),
    shown: (language) => texts[language].account.view.failedBody,
  },
  {
    state: "the links of a CV that are not allowed",
    path: `${one}?part=share`,
    prepare: links("/api/links", { status: 403, body: { code: "x" } }),
    shown: (language) => texts[language].account.view.denied,
  },
  {
    state: "the links of a CV",
    path: `${one}?part=share`,
    shown: (language) =>
      texts[language].links.target.cvCurrent.replace("{{name}}", "\u2068Noa Levi CV.pdf\u2069"),
  },
];

test.each(inTurn(states))(
  "$state in $language is announced, fits a phone and has no faults",
  async ({ path, prepare, shown, language }) => {
    const { page, visitor } = await visitCvs(stack, path, language, prepare);
    const text = shown(language);
    for (const width of language === "he" ? [1280, 320] : [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.getByText(text).first().waitFor({ state: "attached" });
      expect([...(await overflowFaults(page)), ...(await targetFaults(page))]).toEqual([]);
    }
    expect(await accessibilityFaults(page)).toEqual([]);
    // Refused answers are reported by the browser itself.
    expect(visitor.noise.filter((noise) => !noise.includes("Failed to load resource"))).toEqual([]);
    await visitor.leave();
  },
);
