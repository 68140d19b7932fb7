import { insightCalls } from "@pro-talent/schemas/insights/calls";
import { linkCalls } from "@pro-talent/schemas/links/calls";
import type { BrowserContext } from "playwright-core";

import { visitAccount } from "./account-visitor.ts";
import { answerCalls } from "./answer-calls.ts";
import type { Language, Stack } from "./fixtures.ts";

/** The id of a link of these answers. */
export const linkIdOf = (index: number) => `0f8fad5b-d9cb-869f-a165-70867728950${index}`;
const at = "2026-11-22T12:20:00.000Z";
/** One of the links. */
export const linkOf = (index: number, label: string, more: object = {}) => ({
  linkId: linkIdOf(index),
  code: `code-${index}`,
  label,
  note: "",
  target: "file",
  url: null,
  file: { fileId: linkIdOf(9), name: "Noa Levi CV.pdf", kind: "pdf", bytes: 90_000 },
  status: "active",
  locked: false,
  createdAt: at,
  expiresAt: null,
  ...more,
});
export const links = linkCalls["GET /api/links"].answer.parse({
  links: [linkOf(1, "Acme"), linkOf(2, "בנק ירושלים"), linkOf(3, "Globex", { status: "revoked" })],
  linksMax: 500,
});

const totals = {
  opens: 24,
  people: { count: 6, upTo: true },
  fetched: 2,
  excluded: 7,
  lastAt: at,
};
const series = Array.from({ length: 30 }, (_, index) => ({
  at: new Date(Date.parse("2026-10-25T00:00:00Z") + index * 86_400_000).toISOString(),
  opens: index % 4,
  people: index % 2,
}));
const all = insightCalls["GET /api/insights/links"].answer.parse({
  totals,
  before: totals,
  series,
  links: links.links.map(({ linkId }, index) => ({
    ...totals,
    linkId,
    lastAt: index === 1 ? null : at,
    recent: Array.from({ length: 14 }, (_, day) => (index === 1 ? 0 : (day * 5) % 4)),
    fresh: index === 0 ? 3 : 0,
  })),
  lookedAt: at,
  asOf: at,
});
const one = insightCalls["GET /api/insights/links/:linkId"].answer.parse({
  totals,
  before: { ...totals, opens: 11 },
  series,
  places: [
    { country: "IL", region: "Tel Aviv", city: "", opens: 14, people: 4 },
    { country: "DE", region: "Berlin", city: "", opens: 10, people: 2 },
  ],
  sources: [
    { source: "linkedin.com", channel: "social", opens: 15, people: 4 },
    { source: "direct", channel: "direct", opens: 9, people: 2 },
  ],
  devices: [
    { device: "mobile", opens: 14, people: 4 },
    { device: "desktop", opens: 10, people: 2 },
  ],
  browsers: [{ browser: "Chrome", opens: 24, people: 6 }],
  excluded: [{ exclusion: "mail-scanner", requests: 7, lastAt: at }],
  viewing: { seen: 20, medianSeconds: 130, medianPages: 3, pagesTotal: 4, downloads: 2 },
  fresh: 3,
  lookedAt: "2026-11-20T12:20:00.000Z",
  asOf: at,
});
const openOf = (index: number) => ({
  openId: linkIdOf(index),
  linkId: linkIdOf(1),
  at,
  visitor: index,
  exclusion: null,
  state: "seen",
  seconds: 130,
  pages: 3,
  pagesTotal: 4,
  downloaded: false,
  country: "IL",
  region: "",
  device: "mobile",
  browser: "Chrome",
  source: "linkedin.com",
  channel: "social",
});
const opens = insightCalls["GET /api/insights/links/:linkId/opens"].answer.parse({
  opens: [openOf(1), openOf(2)],
  more: false,
});

const compared = insightCalls["GET /api/insights/links/compared"].answer.parse({
  links: [
    { linkId: linkIdOf(1), totals, series },
    { linkId: linkIdOf(2), totals: { ...totals, opens: 30 }, series },
  ],
});

/** By path, or by method and path. */
export type Answers = Record<string, { status: number; body: object } | "awaited">;
export const ok = (body: object) => ({ status: 200, body });
/** Three links, the first of them opened and compared with the second. */
export const usual: Answers = {
  "/api/links": ok(links),
  "/api/insights/links": ok(all),
  [`/api/insights/links/${linkIdOf(1)}`]: ok(one),
  [`/api/insights/links/${linkIdOf(1)}/opens`]: ok(opens),
  "/api/insights/links/compared": ok(compared),
  "/api/insights/looked": ok({ status: "recorded" }),
  "/api/insights/first-open": ok({ open: openOf(1) }),
};
/** Of a link that was not opened in the period. */
export const emptied: Answers = {
  [`/api/insights/links/${linkIdOf(1)}`]: ok(
    insightCalls["GET /api/insights/links/:linkId"].answer.parse({
      ...one,
      totals: {
        opens: 0,
        people: { count: 0, upTo: false },
        fetched: 0,
        excluded: 0,
        lastAt: null,
      },
      series: [],
      places: [],
      sources: [],
      devices: [],
      browsers: [],
      excluded: [],
      viewing: null,
      fresh: 0,
    }),
  ),
  [`/api/insights/links/${linkIdOf(1)}/opens`]: ok({ opens: [], more: false }),
  "/api/insights/live": "awaited",
};
/** Of a plan without analytics. */
export const notIncluded = { status: 403, body: { code: "insights_not_included", error: "No." } };

const liveText = `event: open\ndata: ${JSON.stringify(openOf(4))}\n\n`;

/** The links of an owner whose calls have these answers. @param stack the pages alone */
export async function openLinks(
  stack: Stack,
  path: string,
  language: Language,
  answers: Answers = usual,
) {
  const colorScheme = language === "en" ? ("light" as const) : ("dark" as const);
  const { page, visitor } = await visitAccount(stack, path, {
    language,
    colorScheme,
    alsoAnswer: (context) => answerLinks(context, answers),
  });
  return { page, visitor };
}

/** Answers the calls about links from now on. */
export async function answerLinks(context: BrowserContext, answers: Answers): Promise<void> {
  await answerCalls(
    context,
    (path) => /^\/api\/(?:links|insights)/u.test(path),
    async (route) => {
      const request = route.request();
      const { pathname } = new URL(request.url());
      if (pathname === "/api/insights/live" && answers[pathname] === undefined) {
        await route.fulfill({ contentType: "text/event-stream", body: liveText });
        return;
      }
      const answer = answers[`${request.method()} ${pathname}`] ??
        answers[pathname] ?? { status: 404, body: { code: "x" } };
      // An answer that is awaited does not come.
      if (answer !== "awaited") await route.fulfill({ status: answer.status, json: answer.body });
    },
  );
}
