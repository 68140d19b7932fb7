import { z } from "zod";

import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { linkProblems, LinkView } from "./calls.ts";
import { apiLimits } from "./limits.ts";

/** How a list is read: a page, and where the next one begins. */
export const ApiPage = z.object({
  limit: z.coerce.number().int().min(1).max(apiLimits.pageMax).default(apiLimits.pageDefault),
  /** `nextCursor` of the page before; its form may change. */
  cursor: z.base64url().max(200).optional(),
});

/** A link, as programs of its owner read it. */
export const ApiLink = LinkView.pick({
  linkId: true,
  code: true,
  label: true,
  note: true,
  target: true,
  status: true,
  locked: true,
  createdAt: true,
  expiresAt: true,
}).extend({
  /** The address to share. */
  shareUrl: z.url(),
  /** Of a link elsewhere, where it leads. */
  targetUrl: z.string().nullable(),
  fileName: z.string().nullable(),
});
export type ApiLink = z.infer<typeof ApiLink>;

const access = { scope: "links:read" } as const;

/**
 * The first version of the interface for programs of account holders, with an access token. What it names
 * stays: fields may be added, none is renamed or removed; what cannot keep to this is a second version.
 */
export const linkApiCalls = defineCalls({
  "GET /api/v1/links": {
    summary: "A page of the account's links, the newest first",
    access,
    mayLag: true,
    query: ApiPage,
    answer: z.object({ links: z.array(ApiLink), nextCursor: z.string().nullable() }),
  },
  "GET /api/v1/links/:linkId": {
    summary: "One link of the account",
    access,
    params: z.object({ linkId: Uuid }),
    answer: z.object({ link: ApiLink }),
    problems: [linkProblems.link_not_found],
  },
});
