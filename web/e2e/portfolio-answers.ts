import { insightCalls } from "@pro-talent/schemas/insights/calls";
import { linkCalls } from "@pro-talent/schemas/links/calls";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { mergeDocuments } from "@pro-talent/schemas/studio/merge";
import { PortfolioDocument } from "@pro-talent/schemas/studio/portfolio";
import { Portfolio, portfolioCalls } from "@pro-talent/schemas/studio/portfolio-calls";
import type { BrowserContext } from "playwright-core";
import { z } from "zod";

import { visitAccount } from "./account-visitor.ts";
import { type AnsweredRequest, answerCalls } from "./answer-calls.ts";
import { CvAnswers } from "./cv-answers.ts";
import type { Language, Stack } from "./fixtures.ts";
import { linkOf } from "./link-answers.ts";

const at = "2026-11-22T12:20:00.000Z";
const fileId = "0198c5a0-7c1e-7b5a-9d2e-3f4a5b6c7d01";

const project = (id: string, name: string, pictures: readonly object[] = []) => ({
  id,
  name,
  role: "Lead",
  start: "2024-03",
  end: "2025",
  bullets: [{ id: `${id}b`, text: [{ text: `${name}: what came of it` }] }],
  pictures,
});
/** A page with two sections, and a picture that has its text. */
export const examplePage = PortfolioDocument.parse({
  version: 1,
  language: "en",
  look: {},
  profile: { fullName: "Dana Levi", headline: "Nurse", place: "Haifa" },
  sections: [
    { id: "s1", kind: "summary", entries: [{ id: "e0", text: [{ text: "Cares for people." }] }] },
    {
      id: "s2",
      kind: "projects",
      entries: [
        project("e1", "Night shift", [{ id: "p1", file: fileId, alt: "A ward at night" }]),
        project("e2", "Triage"),
      ],
    },
  ],
});

type Answer = { status: number; json: unknown };
const ok = (json: unknown, status = 200): Answer => ({ status, json });
const refusal = (status: number, code: string): Answer => ({
  status,
  json: { code, error: "No." },
});

const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);
const Saving = portfolioCalls["PUT /api/portfolio/pages/:language"].body;
const Publishing = portfolioCalls["POST /api/portfolio/publish"].body;
const Settings = portfolioCalls["PATCH /api/portfolio"].body;
const Previewed = z.object({ document: PortfolioDocument });

const people = { count: 2, upTo: true };
const totals = { opens: 4, people, fetched: 0, excluded: 1, lastAt: at };
const none = { series: [], places: [], viewing: null, fresh: 0, lookedAt: null };
const rest = { ...none, totals, before: totals, asOf: at };
/** Opens of the portfolio without a link. */
const addressOpens = insightCalls["GET /api/insights/links/:linkId"].answer.parse({
  ...Object.fromEntries(["sources", "devices", "browsers", "excluded"].map((part) => [part, []])),
  ...rest,
});
const newest = insightCalls["GET /api/insights/links/:linkId/opens"].answer.parse({
  opens: [
    {
      openId: fileId,
      linkId: fileId,
      at,
      visitor: 1,
      exclusion: null,
      state: "seen",
      seconds: 130,
      pages: 2,
      pagesTotal: 3,
      downloaded: false,
      country: "IL",
      region: "Haifa",
      device: "desktop",
      browser: "Firefox",
      source: "direct",
      channel: "direct",
    },
  ],
  more: false,
});

/** A page of a preview, as far as journeys need it. */
const htmlOf = ({ language, look, profile, sections }: PortfolioDocument): string =>
  `<!doctype html><html lang="${language}" dir="${language === "he" ? "rtl" : "ltr"}"><head><title>Page</title></head><body class="${look.theme}"><h1>${profile.fullName}</h1>${sections
    .filter(({ shown }) => shown)
    .map(({ kind }) => `<h2>${kind}</h2>`)
    .join("")}<img alt="" src="/api/portfolio/pictures/${fileId}"></body></html>`;

type Page = { versions: PortfolioDocument[]; published: number | null };
type Rules = Pick<Portfolio, "state" | "locked" | "expiresAt" | "inSearch" | "contactForm">;

/** The calls about portfolios as journeys without the service need them; each answer can be replaced. */
export class PortfolioAnswers {
  pages = new Map<Locale, Page>([["en", { versions: [examplePage], published: null }]]);
  rules: Rules = {
    state: "draft",
    locked: false,
    expiresAt: null,
    inSearch: false,
    contactForm: false,
  };
  /** Of the account: the address of the pages. */
  handle: string | null = "dana";
  plan = { takenDown: false, mayPublish: true, mayCustomize: true };
  links = [linkOf(1, "Acme", { target: "profile", file: null }), linkOf(2, "Globex")];
  /** By call: what is answered instead, as often as it is there. */
  readonly instead = new Map<string, Answer | "lost" | "awaited">();

  /** The page as it is saved. */
  document(language: Locale = "en"): PortfolioDocument | undefined {
    return this.pages.get(language)?.versions.at(-1);
  }

  #page(language: Locale, { versions, published }: Page) {
    return {
      language,
      version: versions.length,
      savedAt: at,
      published: published === null ? null : { version: published, at },
      document: versions.at(-1),
    };
  }

  whole() {
    const pages = Array.from(this.pages, ([language, page]) => this.#page(language, page));
    return { portfolio: Portfolio.parse({ ...this.rules, ...this.plan, pages }) };
  }

  #saved(language: Locale, request: AnsweredRequest): Answer {
    const { basedOn, document } = Saving.parse(request.postDataJSON());
    const page = this.pages.get(language) ?? { versions: [], published: null };
    this.pages.set(language, page);
    const [base, current] = [page.versions[(basedOn ?? 0) - 1], page.versions.at(-1)];
    const { merged, conflicts } =
      base === undefined || current === undefined
        ? { merged: document, conflicts: [] }
        : mergeDocuments(base, current, document);
    if (JSON.stringify(merged) !== JSON.stringify(current))
      page.versions.push(PortfolioDocument.parse(merged));
    return ok({ page: this.#page(language, page), conflicts });
  }

  #published(request: AnsweredRequest): Answer {
    const { state, pages } = Publishing.parse(request.postDataJSON());
    for (const page of this.pages.values()) page.published = null;
    for (const { language, version } of pages) {
      const page = this.pages.get(language);
      if (page !== undefined) page.published = version;
    }
    this.rules = { ...this.rules, state };
    return ok(this.whole());
  }

  #changed(request: AnsweredRequest): Answer {
    const { password, ...rules } = Settings.parse(request.postDataJSON());
    const given = Object.fromEntries(
      Object.entries(rules).filter(([, value]) => value !== undefined),
    );
    this.rules = { ...this.rules, ...given };
    if (password !== undefined) this.rules.locked = password !== null;
    return ok(this.whole());
  }

  #ofPage(method: string, language: Locale, rest: string, request: AnsweredRequest): Answer {
    const page = this.pages.get(language);
    if (method === "PUT") return this.#saved(language, request);
    if (page === undefined) return refusal(404, "portfolio_page_not_found");
    if (method === "DELETE") {
      this.pages.delete(language);
      return ok(this.whole());
    }
    const versions = page.versions.map((_, index) => ({ version: index + 1, savedAt: at }));
    if (rest === "versions") return ok({ versions: versions.toReversed() });
    const version = Number(rest.replace("versions/", ""));
    return ok({ version: { version, savedAt: at }, document: page.versions[version - 1] });
  }

  #reply(method: string, path: string, request: AnsweredRequest): Answer {
    const [, language, rest = ""] = /^\/api\/portfolio\/pages\/(en|he)\/?(.*)$/u.exec(path) ?? [];
    if (language === "en" || language === "he")
      return this.#ofPage(method, language, rest, request);
    switch (`${method} ${path}`) {
      case "GET /api/portfolio":
        return ok(this.whole());
      case "PATCH /api/portfolio":
        return this.#changed(request);
      case "POST /api/portfolio/publish":
        return this.#published(request);
      case "POST /api/portfolio/unpublish":
        for (const page of this.pages.values()) page.published = null;
        this.rules = { ...this.rules, state: "draft" };
        return ok(this.whole());
      case "POST /api/portfolio/from-cv":
        return ok({ document: examplePage });
      case "POST /api/portfolio/preview":
        return ok({ html: htmlOf(Previewed.parse(request.postDataJSON()).document) });
      case "POST /api/portfolio/pictures":
        return ok({ file: fileId, width: 4, height: 3 }, 201);
      default:
        return refusal(404, "not_found");
    }
  }

  async takeOver(context: BrowserContext): Promise<void> {
    const handled = (path: string): boolean =>
      path.startsWith("/api/portfolio") ||
      path === "/api/links" ||
      path.startsWith("/api/insights/links");
    await answerCalls(context, handled, async (route) => {
      const request = route.request();
      const path = new URL(request.url()).pathname;
      const instead = this.instead.get(`${request.method()} ${path}`);
      if (instead === "awaited") return;
      if (instead === "lost") await route.abort();
      else if (instead !== undefined) await route.fulfill(instead);
      else if (path.startsWith("/api/portfolio/pictures/"))
        await route.fulfill({ body: picture, contentType: "image/png" });
      else if (path === "/api/links") await route.fulfill(ok(this.#links()));
      else if (path.endsWith("/opens")) await route.fulfill(ok(newest));
      else if (path === "/api/insights/links") await route.fulfill(ok(this.#opens()));
      else if (path.startsWith("/api/insights/links/")) await route.fulfill(ok(addressOpens));
      else await route.fulfill(this.#reply(request.method(), path, request));
    });
  }

  #links() {
    return linkCalls["GET /api/links"].answer.parse({ links: this.links, linksMax: 500 });
  }

  #opens() {
    const links = this.links.map(({ linkId }) => ({
      ...totals,
      linkId,
      recent: Array.from({ length: 14 }, (_, day) => day % 2),
      fresh: 1,
    }));
    return insightCalls["GET /api/insights/links"].answer.parse({
      totals,
      before: totals,
      series: [],
      links,
      lookedAt: at,
      asOf: at,
    });
  }
}

/** What the browser reported, apart from the scripts of tests, which do not run in the frame of the preview either. */
export const withoutFrames = (noise: readonly string[]): string[] =>
  noise.filter((one) => !one.startsWith("Blocked script execution in 'blob:"));

/** An owner of a portfolio whose calls are answered here. @param stack the pages alone */
export async function visitPortfolio(
  stack: Stack,
  path: string,
  language: Language,
  prepare?: (answers: PortfolioAnswers, cvs: CvAnswers) => void,
) {
  const colorScheme = language === "en" ? ("light" as const) : ("dark" as const);
  const answers = new PortfolioAnswers();
  const cvs = new CvAnswers();
  prepare?.(answers, cvs);
  const { page, visitor } = await visitAccount(stack, path, {
    language,
    colorScheme,
    prepare: ({ account }) => {
      account.profile.handle = answers.handle;
    },
    alsoAnswer: async (context) => {
      await cvs.takeOver(context);
      await answers.takeOver(context);
    },
  });
  return { page, visitor, answers };
}
