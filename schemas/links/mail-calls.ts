import { z } from "zod";

import { insightProblems } from "../insights/calls.ts";
import { signedIn } from "../primitives/access.ts";
import { defineCalls } from "../primitives/calls.ts";
import { defineProblems } from "../primitives/problem.ts";
import { OpenMailPreference } from "./mail-events.ts";

const OpenMails = z.object({
  preference: OpenMailPreference,
  /** Whether the plan includes digests. */
  digestsIncluded: z.boolean(),
});
export type OpenMails = z.infer<typeof OpenMails>;

/** For account holders: when they get mails about opens of their links. */
export const openMailCalls = defineCalls({
  "GET /api/link-mails": {
    summary: "When the account gets mails about opens of its links",
    access: signedIn,
    answer: OpenMails,
  },
  "PUT /api/link-mails": {
    summary: "Chooses when the account gets mails about opens of its links",
    access: signedIn,
    body: z.object({ preference: OpenMailPreference }),
    answer: OpenMails,
    problems: [insightProblems.insights_not_included],
  },
});

/** Where mail programs turn the mails off with one click. */
export const openMailsOffPath = "/api/link-mails/off";

export const openMailProblems = defineProblems({
  open_mail_token_unknown: [404, "This token is not known."],
});

/** Neither rate limited nor bound to an origin: mail providers post for all of their users. */
export const openMailsOffCalls = defineCalls({
  [`POST ${openMailsOffPath}` as const]: {
    summary: "Turns mails about opens off; mail programs post here with one click (RFC 8058)",
    access: "public",
    plainForm: true,
    query: z.object({ token: z.string().max(200) }),
    body: z.looseObject({}).nullish(),
    answer: z.object({ status: z.literal("off") }),
    problems: [openMailProblems.open_mail_token_unknown],
  },
});
