import { z } from "zod";

import { signedIn } from "../primitives/access.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { Locale } from "../primitives/locale.ts";
import { defineProblems } from "../primitives/problem.ts";
import { Conflict, cvProblems, fileBodyBytesMax, Version } from "./calls.ts";
import { cvLimits, portfolioLimits as limit } from "./limits.ts";
import { PortfolioDocument } from "./portfolio.ts";

export const portfolioProblems = defineProblems({
  portfolio_page_not_found: [404, "There is no page in this language."],
  portfolio_version_not_found: [404, "There is no such version of this page."],
  portfolio_version_not_kept: [409, "The version that this edit started from is no longer kept."],
  portfolio_too_long: [422, "Both changes together are longer than a page may be."],
  portfolio_not_included: [403, "The plan of this account includes no public portfolio."],
  look_not_included: [403, "The plan of this account includes no choice of theme and order."],
  portfolio_taken_down: [409, "This portfolio was taken down by an administrator."],
  portfolio_expiry_past: [422, "A portfolio cannot end in the past."],
  picture_without_text: [422, "A picture has no text for readers who cannot see it."],
  picture_unreadable: [422, "This is no picture that can be read."],
  picture_not_found: [404, "There is no such picture."],
  pictures_full: [409, "This account holds as many pictures as it may, and shows all of them."],
});
const problems = portfolioProblems;

/**
 * `draft`: its owner sees it alone. `published`: at `/p/:handle`. `unlisted`: the same, for who has the address:
 * never in a search engine or a list.
 */
export const portfolioStates = ["draft", "published", "unlisted"] as const;

/** The page in one language as it is edited, and the version that readers see. */
export const PortfolioPage = z.object({
  language: Locale,
  version: Version,
  savedAt: Instant,
  /** Null while readers see no page in this language. */
  published: z.object({ version: Version, at: Instant }).nullable(),
  document: PortfolioDocument,
});
export type PortfolioPage = z.infer<typeof PortfolioPage>;

/** What holds for the pages in all languages. */
const Settings = z.object({
  state: z.enum(portfolioStates),
  /** A password is asked for. */
  locked: z.boolean(),
  expiresAt: Instant.nullable(),
  /** Search engines may list it, while it is published and without a password. */
  inSearch: z.boolean(),
  /** Readers can write to the owner by a form; the owner's address is not shown. */
  contactForm: z.boolean(),
});

/** A portfolio as its owner sees it. */
export const Portfolio = Settings.extend({
  /** At most one in each language; empty before the first is saved. */
  pages: z.array(PortfolioPage),
  takenDown: z.boolean(),
  /** Of the plan. */
  mayPublish: z.boolean(),
  mayCustomize: z.boolean(),
});
export type Portfolio = z.infer<typeof Portfolio>;

const Answer = z.object({ portfolio: Portfolio });
const Password = z.string().min(limit.passwordCharsMin).max(limit.passwordCharsMax);
const PageParams = z.object({ language: Locale });
const VersionParams = PageParams.extend({ version: z.coerce.number().pipe(Version) });
const VersionSummary = z.object({ version: Version, savedAt: Instant });
const documentBytesMax = cvLimits.documentCharsMax * 4 + 64 * 1024;

/** For account holders about their own portfolio, of which each account has one. */
export const portfolioCalls = defineCalls({
  "GET /api/portfolio": {
    summary: "The portfolio of the account, with the page in each language",
    access: signedIn,
    answer: Answer,
  },
  "PATCH /api/portfolio": {
    summary: "Changes what holds for the pages in all languages, at once",
    access: signedIn,
    body: z.object({
      /** Null: none is asked for any more. */
      password: Password.nullable().optional(),
      expiresAt: Instant.nullable().optional(),
      inSearch: z.boolean().optional(),
      contactForm: z.boolean().optional(),
    }),
    answer: Answer,
    problems: [problems.portfolio_expiry_past],
  },
  "PUT /api/portfolio/pages/:language": {
    summary:
      "Saves a page as a draft; what was saved meanwhile is merged by field, and may be repeated",
    access: signedIn,
    params: PageParams,
    body: z.object({
      /** Null for the first one. */
      basedOn: Version.nullable(),
      document: PortfolioDocument,
    }),
    bodyBytesMax: documentBytesMax,
    answer: z.object({ page: PortfolioPage, conflicts: z.array(Conflict) }),
    problems: [problems.portfolio_version_not_kept, problems.portfolio_too_long],
  },
  "DELETE /api/portfolio/pages/:language": {
    summary: "Deletes the page in a language with its versions",
    access: signedIn,
    params: PageParams,
    answer: Answer,
    problems: [problems.portfolio_page_not_found],
  },
  "POST /api/portfolio/publish": {
    summary: "Shows these versions to readers, and no other ones",
    access: signedIn,
    body: z.object({
      state: z.enum(["published", "unlisted"]),
      pages: z
        .array(PageParams.extend({ version: Version }))
        .min(1)
        .max(2),
    }),
    answer: Answer,
    problems: [
      problems.portfolio_not_included,
      problems.look_not_included,
      problems.portfolio_taken_down,
      problems.portfolio_page_not_found,
      problems.portfolio_version_not_found,
      problems.picture_without_text,
    ],
  },
  "POST /api/portfolio/unpublish": {
    summary: "Shows nothing to readers any more",
    access: signedIn,
    answer: Answer,
  },
  "GET /api/portfolio/pages/:language/versions": {
    summary: "The versions of a page that are kept, the newest first",
    access: signedIn,
    params: PageParams,
    answer: z.object({ versions: z.array(VersionSummary) }),
    problems: [problems.portfolio_page_not_found],
  },
  "GET /api/portfolio/pages/:language/versions/:version": {
    summary: "The document of a version; saving it again restores it",
    access: signedIn,
    params: VersionParams,
    answer: z.object({ version: VersionSummary, document: PortfolioDocument }),
    problems: [problems.portfolio_page_not_found, problems.portfolio_version_not_found],
  },
  "POST /api/portfolio/from-cv": {
    summary: "A document made of a CV, to review and save; its photo is stored as a picture",
    access: signedIn,
    body: z.object({ cvId: Uuid }),
    answer: z.object({ document: PortfolioDocument }),
    problems: [cvProblems.cv_not_found, problems.pictures_full],
  },
  "POST /api/portfolio/preview": {
    summary:
      "A document as a whole HTML page; its pictures have the addresses that are for the owner alone",
    access: signedIn,
    body: z.object({ document: PortfolioDocument }),
    bodyBytesMax: documentBytesMax,
    answer: z.object({ html: z.string() }),
  },
  "POST /api/portfolio/pictures": {
    summary: "Stores a picture, drawn anew and without metadata; documents then name its file",
    access: signedIn,
    body: z.object({ content: z.base64() }),
    bodyBytesMax: fileBodyBytesMax(limit.pictureBytesMax),
    status: 201,
    answer: z.object({ file: Uuid, width: z.int(), height: z.int() }),
    problems: [problems.picture_unreadable, problems.pictures_full],
  },
  "GET /api/portfolio/pictures/:file": {
    summary: "A stored picture, for its owner",
    access: signedIn,
    params: z.object({ file: Uuid }),
    file: "image/webp",
    answer: z.never(),
    problems: [problems.picture_not_found],
  },
});

const OfAccount = z.object({ accountId: Uuid });

/** Of the HTML of a page: what who shows it fills in. Text of the owner cannot contain them, since it is escaped. */
export const pageGaps = {
  /** Path before those of pictures, files and forms: `/p/dana`. */
  base: "<base>",
  /** Whole address of the page. */
  address: "<address>",
  /** In the head. */
  head: "<!--head-->",
  /** After the page. */
  foot: "<!--foot-->",
} as const;

/** What readers see in one language. */
const ShownPortfolioPage = z.object({
  language: Locale,
  name: z.string(),
  title: z.string(),
  /** One line about its owner, for search engines and previews. */
  description: z.string(),
  /** A whole document with {@link pageGaps}. */
  html: z.string(),
});
export type ShownPortfolioPage = z.infer<typeof ShownPortfolioPage>;

/** For the collector, which shows portfolios. Whether the plan includes one is not asked. */
export const internalPortfolioCalls = defineCalls({
  "POST /internal/portfolios/of/:accountId/shown": {
    summary: "What readers see of a portfolio now; nothing again where the revision is known",
    access: "internal",
    params: OfAccount,
    /** The revision that the caller has; null for none. */
    body: z.object({ revision: z.string().max(100).nullable() }),
    answer: z.discriminatedUnion("status", [
      z.object({ status: z.enum(["none", "unchanged"]) }),
      Settings.omit({ locked: true }).extend({
        status: z.literal("shown"),
        state: z.enum(["published", "unlisted"]),
        /** Where a password is asked for: another id with each password. */
        lock: Uuid.nullable(),
        /** Another one after every change of what readers see. */
        revision: z.string(),
        /** The first one is that of readers who ask for neither. */
        pages: z.array(ShownPortfolioPage).min(1),
      }),
    ]),
  },
  "GET /internal/portfolios/listed": {
    summary: "Accounts whose portfolio search engines may list, ten thousand at most",
    access: "internal",
    answer: z.object({ accountIds: z.array(Uuid) }),
  },
  "POST /internal/portfolios/of/:accountId/unlock": {
    summary: "Whether a password opens a portfolio",
    access: "internal",
    params: OfAccount,
    body: z.object({ password: z.string().max(limit.passwordCharsMax) }),
    answer: z.object({ opens: z.boolean() }),
  },
  "GET /internal/portfolios/of/:accountId/pictures/:file": {
    summary: "A picture that readers see now",
    access: "internal",
    params: OfAccount.extend({ file: Uuid }),
    file: "image/webp",
    answer: z.never(),
    problems: [problems.picture_not_found],
  },
  "GET /internal/portfolios/of/:accountId/cv/:language": {
    summary: "The PDF of the CV that readers may download",
    access: "internal",
    params: OfAccount.extend({ language: Locale }),
    file: "application/pdf",
    answer: z.never(),
    problems: [cvProblems.cv_not_found, cvProblems.cv_not_drawn],
  },
});
