import { afterAll, beforeAll, expect, test } from "vitest";

import { ApplicationAnswers, applicationIdOf, visitApplications } from "../application-answers.ts";
import { inTurn, type Language, type Stack, startPages } from "../fixtures.ts";
import { accessibilityFaults, overflowFaults, targetFaults } from "../page-faults.ts";
import { texts } from "../texts.ts";

/** The tracker in each state that a view of data has, at the width of a phone and of a screen. */
let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const refused = { status: 400, json: { code: "x", error: "No." } };
const denied = { status: 403, json: { code: "x", error: "No." } };
const all = "GET /api/applications";
const one = `/applications/${applicationIdOf(0)}`;

type State = {
  state: string;
  path: string;
  prepare?: (answers: ApplicationAnswers) => void;
  shown: (language: Language) => string;
};
const states: readonly State[] = [
  {
    state: "the tracker that is awaited",
    path: "/applications",
    prepare: ({ instead }) => instead.set(all, "awaited"),
    shown: (language) => texts[language].applications.loading,
  },
  {
    state: "the tracker before the first application",
    path: "/applications",
    prepare: ({ tracker }) => {
      tracker.applications = [];
    },
    shown: (language) => texts[language].applications.empty.title,
  },
  {
    state: "the tracker with a filter that nothing passes",
    path: "/applications?q=zzz",
    shown: (language) => texts[language].applications.filters.noMatch,
  },
  {
    state: "the tracker that cannot be loaded",
    path: "/applications",
    prepare: ({ instead }) => instead.set(all, refused),
    shown: (language) => texts[language].account.view.failedBody,
  },
  {
    state: "the tracker that is not allowed",
    path: "/applications",
    prepare: ({ instead }) => instead.set(all, denied),
    shown: (language) => texts[language].account.view.denied,
  },
  {
    state: "a plan without the tracker",
    path: "/applications",
    prepare: (answers) => {
      answers.included = false;
    },
    shown: (language) => texts[language].applications.without.title,
  },
  { state: "the board", path: "/applications", shown: () => "Globex" },
  { state: "the table", path: "/applications?view=table", shown: () => "Ward manager" },
  {
    state: "the calendar",
    path: "/applications?view=calendar",
    shown: (language) => texts[language].applications.calendar.next,
  },
  {
    state: "the calendar without reminders",
    path: "/applications?view=calendar",
    prepare: ({ instead }) => instead.set("GET /api/applications/reminders", refused),
    shown: (language) => texts[language].applications.calendar.withoutReminders,
  },
  {
    state: "the statistics",
    path: "/applications?view=statistics",
    shown: (language) => texts[language].applications.statistics.sources,
  },
  {
    state: "an application that there is not",
    path: "/applications/0198c5a0-0000-7000-8001-ffffffffffff",
    shown: (language) => texts[language].application.unknown.title,
  },
  {
    state: "an application",
    path: one,
    shown: (language) => texts[language].application.sent.title,
  },
  {
    state: "the dashboard with reminders and what waits",
    path: "/dashboard",
    shown: () => "Call Globex",
  },
  {
    state: "the dashboard without reminders",
    path: "/dashboard",
    prepare: ({ instead }) => instead.set("GET /api/applications/reminders", refused),
    shown: (language) => texts[language].dashboard.waiting.title,
  },
];

test.each(inTurn(states))(
  "$state in $language is announced, fits a phone and has no faults",
  async ({ path, prepare, shown, language }) => {
    const answers = new ApplicationAnswers();
    prepare?.(answers);
    const { page, visitor } = await visitApplications(stack, path, language, { answers });
    const text = shown(language);
    for (const width of language === "he" ? [1280, 320] : [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      // On phones the board shows one stage.
      if (path !== "/applications" || width > 320)
        await page.getByText(text).first().waitFor({ state: "attached" });
      expect([...(await overflowFaults(page)), ...(await targetFaults(page))]).toEqual([]);
    }
    expect(await accessibilityFaults(page)).toEqual([]);
    // Refused answers are reported by the browser itself.
    expect(visitor.noise.filter((noise) => !noise.includes("Failed to load resource"))).toEqual([]);
    await visitor.leave();
  },
);
