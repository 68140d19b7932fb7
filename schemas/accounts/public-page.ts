import { z } from "zod";

import { ExternalUrl } from "../links/external-url.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Locale } from "../primitives/locale.ts";
import { accountLimits as limit } from "./limits.ts";
import { Handle } from "./profile.ts";

const line = (max: number) => z.string().trim().max(max);

/** Whose page has an address, or is opened by a link. */
export const PageOwner = z.object({
  accountId: Uuid,
  /** Null: the page has no address of its own. */
  handle: z.string().nullable(),
  fullName: z.string(),
  language: Locale,
});
export type PageOwner = z.infer<typeof PageOwner>;

/** What an account published before there were portfolios, beside name and photo. */
export const FormerPage = z.object({
  headline: line(limit.headlineCharsMax),
  /** Paragraphs are separated by empty lines. */
  summary: line(limit.summaryCharsMax),
  links: z
    .array(z.object({ label: line(limit.pageLinkLabelCharsMax).min(1), url: ExternalUrl }))
    .max(limit.pageLinksMax),
  published: z.boolean(),
});
export type FormerPage = z.infer<typeof FormerPage>;

/** For the collector, which shows portfolios. */
export const internalPageCalls = defineCalls({
  "POST /internal/accounts/page": {
    summary: "The open account with a handle, or with an id",
    access: "internal",
    body: z.union([z.object({ handle: Handle }), z.object({ accountId: Uuid })]),
    answer: PageOwner,
  },
});

const params = z.object({ accountId: Uuid });

/** For the studio, which makes portfolios of them. All may be repeated. */
export const internalFormerPageCalls = defineCalls({
  "GET /internal/accounts/former-pages": {
    summary: "Accounts whose page was not taken over yet, a hundred at most",
    access: "internal",
    answer: z.object({ accountIds: z.array(Uuid) }),
  },
  "GET /internal/accounts/:accountId/former-page": {
    summary: "The page of an open account as its holder wrote it",
    access: "internal",
    params,
    answer: PageOwner.extend({ page: FormerPage, hasPhoto: z.boolean() }),
  },
  "DELETE /internal/accounts/:accountId/former-page": {
    summary: "Deletes the page once it was taken over",
    access: "internal",
    params,
    /** Whether the account is there still. */
    answer: z.object({ account: z.boolean() }),
  },
});
