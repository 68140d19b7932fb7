import { z } from "zod";

import { ExternalUrl } from "../links/external-url.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Locale } from "../primitives/locale.ts";
import { accountLimits as limit } from "./limits.ts";
import { Handle } from "./profile.ts";

const line = (max: number) => z.string().trim().max(max);

/** What an account holder publishes of themself, beside name and photo. */
export const PublicPage = z.object({
  headline: line(limit.headlineCharsMax),
  /** Paragraphs are separated by empty lines. */
  summary: line(limit.summaryCharsMax),
  links: z
    .array(z.object({ label: line(limit.pageLinkLabelCharsMax).min(1), url: ExternalUrl }))
    .max(limit.pageLinksMax),
  /** Only a page with a handle has an address. */
  published: z.boolean(),
});
export type PublicPage = z.infer<typeof PublicPage>;

/** A published page, as it is shown. */
export const ShownPage = PublicPage.omit({ published: true }).extend({
  accountId: Uuid,
  handle: z.string(),
  fullName: z.string(),
  language: Locale,
  hasPhoto: z.boolean(),
});
export type ShownPage = z.infer<typeof ShownPage>;

/** For the collector, which shows published pages. */
export const internalPageCalls = defineCalls({
  "POST /internal/accounts/page": {
    summary:
      "A published page, by its handle or its account; whether the plan includes one is not asked",
    access: "internal",
    body: z.union([z.object({ handle: Handle }), z.object({ accountId: Uuid })]),
    answer: ShownPage,
  },
  "GET /internal/accounts/:accountId/page/photo": {
    summary: "The photo of a published page",
    access: "internal",
    params: z.object({ accountId: Uuid }),
    file: "image/webp",
    answer: z.never(),
  },
});
