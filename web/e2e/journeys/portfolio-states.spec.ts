import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { CvAnswers } from "../cv-answers.ts";
import { inTurn, type Language, type Stack, startPages } from "../fixtures.ts";
import { accessibilityFaults, overflowFaults, targetFaults } from "../page-faults.ts";
import {
  examplePage,
  type PortfolioAnswers,
  visitPortfolio,
  withoutFrames,
} from "../portfolio-answers.ts";
import { texts } from "../texts.ts";

/** The portfolio in each state that it can have, at the width of a phone and of a screen. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const refused = { status: 400, json: { code: "x", error: "No." } };
const denied = { status: 403, json: { code: "x", error: "No." } };
type Prepare = (answers: PortfolioAnswers, cvs: CvAnswers) => void;
const instead =
  (call: string, answer: Parameters<PortfolioAnswers["instead"]["set"]>[1]): Prepare =>
  (answers) => {
    answers.instead.set(call, answer);
  };
const shownToReaders: Prepare = (answers) => {
  answers.pages = new Map([["en", { versions: [examplePage, examplePage], published: 1 }]]);
  answers.rules.state = "published";
};
const withoutText: Prepare = (answers) => {
  const [summary, projects] = structuredClone(examplePage.sections);
  if (summary === undefined || projects?.kind !== "projects") throw new Error("no projects");
  for (const { pictures } of projects.entries) for (const picture of pictures) picture.alt = "";
  const look = { theme: "poster", accent: "rust" } as const;
  const document = { ...examplePage, look, sections: [summary, projects] };
  answers.pages = new Map([["en", { versions: [document], published: null }]]);
  answers.plan = { ...answers.plan, mayCustomize: false };
};

type State = {
  state: string;
  path?: string;
  prepare?: Prepare;
  shown: (t: (typeof texts)[Language], language: Language) => string;
};
const states: readonly State[] = [
  {
    state: "a portfolio that is awaited",
    prepare: instead("GET /api/portfolio", "awaited"),
    shown: ({ portfolio }) => portfolio.loading,
  },
  {
    state: "a portfolio that cannot be loaded",
    prepare: instead("GET /api/portfolio", refused),
    shown: ({ account }) => account.view.failedBody,
  },
  {
    state: "a portfolio that is not allowed",
    prepare: instead("GET /api/portfolio", denied),
    shown: ({ account }) => account.view.denied,
  },
  {
    state: "the first page, from a CV",
    path: "?page=en",
    prepare: (answers) => answers.pages.clear(),
    shown: () => "Head nurse, Haifa",
  },
  {
    state: "the first page without a CV",
    path: "?page=en",
    prepare: (answers, cvs) => {
      answers.pages.clear();
      cvs.hasCv = false;
    },
    shown: ({ portfolio }) => portfolio.begin.noCv.en,
  },
  {
    state: "the first page without an answer about CVs",
    path: "?page=en",
    prepare: (answers, cvs) => {
      answers.pages.clear();
      cvs.instead.set("GET /api/cvs", refused);
    },
    shown: ({ account }) => account.view.failedBody,
  },
  {
    state: "the page in the other language",
    path: "?page=he",
    shown: ({ portfolio }) => portfolio.begin.fromOther.en,
  },
  { state: "a draft", shown: ({ portfolio }) => portfolio.status.why.draft },
  {
    state: "a published page with changes",
    prepare: shownToReaders,
    shown: ({ portfolio }) => portfolio.status.changed,
  },
  {
    state: "a page that was taken down",
    path: "?part=publish",
    prepare: (answers, cvs) => {
      shownToReaders(answers, cvs);
      answers.plan.takenDown = true;
    },
    shown: ({ portfolio }) => portfolio.status.why["taken-down"],
  },
  {
    state: "a page that has ended",
    prepare: (answers, cvs) => {
      shownToReaders(answers, cvs);
      answers.rules.expiresAt = instantFromMs(Date.UTC(2026, 0, 1));
    },
    shown: ({ portfolio }) => portfolio.status.stamp.ended,
  },
  {
    state: "a published page without a plan",
    path: "?part=publish",
    prepare: (answers, cvs) => {
      shownToReaders(answers, cvs);
      answers.plan = { takenDown: false, mayPublish: false, mayCustomize: false };
    },
    shown: ({ portfolio }) => portfolio.publish.obstacles["not-included"],
  },
  {
    state: "a page without an address",
    path: "?part=publish",
    prepare: (answers) => {
      answers.handle = null;
    },
    shown: ({ portfolio }) => portfolio.publish.obstacles["no-handle"],
  },
  {
    state: "pictures without text and a look that the plan lacks",
    path: "?part=publish",
    prepare: withoutText,
    shown: ({ portfolio }) => portfolio.publish.obstacles.pictures_one,
  },
  {
    state: "the look without a choice",
    path: "?part=look",
    prepare: withoutText,
    shown: ({ portfolio }) => portfolio.themes.poster,
  },
  {
    state: "a page that cannot be drawn",
    path: "?part=page",
    prepare: instead("POST /api/portfolio/preview", refused),
    shown: ({ portfolio }) => portfolio.preview["not-drawn"],
  },
  {
    state: "publishing",
    path: "?part=publish",
    prepare: shownToReaders,
    shown: ({ portfolio }) => portfolio.readers.contactBody,
  },
  {
    state: "the opens",
    path: "?part=opens",
    prepare: shownToReaders,
    shown: ({ portfolio }) => portfolio.opens.seen_other.split("{{count}}")[1]?.trim() ?? "",
  },
  {
    state: "the opens of a plan without figures",
    path: "?part=opens",
    prepare: instead("GET /api/insights/links", {
      status: 403,
      json: { code: "insights_not_included", error: "No." },
    }),
    shown: ({ portfolio }) => portfolio.opens.notIncluded,
  },
  {
    state: "the opens before there is a link",
    path: "?part=opens",
    prepare: (answers) => {
      answers.links = [];
    },
    shown: ({ portfolio }) => portfolio.opens.emptyTitle,
  },
  {
    state: "the versions",
    path: "?part=versions",
    prepare: shownToReaders,
    shown: ({ portfolio }) => portfolio.versions.published,
  },
];

test.each(inTurn(states))(
  "$state in $language is announced, fits a phone and has no faults",
  async ({ path = "", prepare, shown, language }) => {
    const { page, visitor } = await visitPortfolio(stack, `/portfolio${path}`, language, prepare);
    const text = shown(texts[language], language);
    for (const width of language === "he" ? [1280, 320] : [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.getByText(text).first().waitFor({ state: "attached" });
      expect([...(await overflowFaults(page)), ...(await targetFaults(page))]).toEqual([]);
    }
    expect(await accessibilityFaults(page)).toEqual([]);
    // Refused answers are reported by the browser itself.
    const noise = visitor.noise.filter((one) => !one.includes("Failed to load resource"));
    expect(withoutFrames(noise)).toEqual([]);
    await visitor.leave();
  },
);
