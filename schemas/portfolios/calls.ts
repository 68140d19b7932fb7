import { z } from "zod";

import { contactLimits } from "../contact/limits.ts";
import { reportReasons } from "../links/report-reasons.ts";
import { defineCalls } from "../primitives/calls.ts";
import { emailCharsMax } from "../primitives/email-limits.ts";
import { looksLikeEmail } from "../primitives/email-shape.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { Locale } from "../primitives/locale.ts";

const line = (max: number) => z.string().trim().min(1).max(max);

/** What a reader of a portfolio writes to its owner. */
export const ReaderMessageBody = z.object({
  name: line(contactLimits.nameCharsMax),
  email: line(emailCharsMax).refine(looksLikeEmail, "an e-mail address"),
  message: z.string().trim().min(contactLimits.messageCharsMin).max(contactLimits.messageCharsMax),
  /** Of the page. */
  language: Locale,
});
export type ReaderMessageBody = z.infer<typeof ReaderMessageBody>;

const administrator = { roles: ["administrator"] } as const;
const params = z.object({ accountId: Uuid });
const Reason = z.object({ reason: z.enum(reportReasons) });
const done = z.object({ status: z.literal("done") });

/** For administrators. */
export const portfolioModerationCalls = defineCalls({
  "GET /api/console/portfolios/reported": {
    summary: "Portfolios that were reported, without the words of their owners",
    access: administrator,
    answer: z.object({
      portfolios: z.array(
        z.object({
          accountId: Uuid,
          takenDown: z.boolean(),
          reports: z.int(),
          lastReason: z.enum(reportReasons),
          lastAt: Instant,
        }),
      ),
    }),
  },
  "POST /api/console/portfolios/:accountId/take-down": {
    summary: "Readers see nothing of the portfolio, whatever its owner does",
    access: { ...administrator, stepUp: true },
    params,
    body: Reason,
    answer: done,
  },
  "POST /api/console/portfolios/:accountId/reinstate": {
    summary: "A portfolio that was taken down is its owner's again",
    access: { ...administrator, stepUp: true },
    params,
    answer: done,
  },
});

/** For the services that show portfolios. */
export const internalPortfolioReportCalls = defineCalls({
  "GET /internal/portfolios/:accountId": {
    summary: "Whether the portfolio of an account was taken down",
    access: "internal",
    params,
    answer: z.object({ takenDown: z.boolean() }),
  },
  "POST /internal/portfolios/:accountId/report": {
    summary: "Records that a reader reported a portfolio",
    access: "internal",
    params,
    body: Reason,
    answer: z.object({ status: z.literal("received") }),
  },
  "POST /internal/portfolios/:accountId/messages": {
    summary: "Mails what a reader wrote to the owner of a portfolio; may be repeated with one id",
    access: "internal",
    params,
    body: ReaderMessageBody.extend({ messageId: Uuid }),
    status: 202,
    answer: z.object({ status: z.literal("received") }),
  },
});
