import { z } from "zod";

import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { defineProblems, platformProblems } from "../primitives/problem.ts";
import { BreachFacts, BreachText, DecisionText } from "./events.ts";

export const breachProblems = defineProblems({
  breach_unknown: [404, "There is no such breach."],
  breach_closed: [409, "The breach is closed."],
  discovered_later: [422, "The discovery lies in the future, or after the notice."],
  store_unknown: [422, "The record of processing activities has no such store."],
  notice_not_decided: [409, "It was not decided to send this notice."],
  notice_sent: [409, "The notice was sent already."],
  breach_not_settled: [409, "A decision or a notice is still open."],
});
const problems = breachProblems;
const officer = { roles: ["officer"] } as const;

/** What was decided about a notice, and whether it was sent. */
export const noticeStates = ["open", "to-send", "not-needed", "sent"] as const;
const NoticeState = z.enum(noticeStates);

/** A breach in the register. */
export const ListedBreach = BreachFacts.extend({
  breachId: Uuid,
  /** The end of the 72 hours. */
  notifyBy: Instant,
  authority: NoticeState,
  subjects: NoticeState,
  closedAt: Instant.nullable(),
  /** Sent back with each act: an act on an older version is refused. */
  version: z.int().positive(),
});
export type ListedBreach = z.infer<typeof ListedBreach>;

const Draft = z.object({ title: z.string(), body: z.string() });
const Drafts = z.object({ en: Draft, he: Draft });

/** One breach with what is written about it. */
export const Breach = ListedBreach.extend({
  text: BreachText,
  authorityReason: z.string().nullable(),
  subjectsReason: z.string().nullable(),
  /** Drafts of the notices, made from the record: an officer sends them. */
  drafts: z.object({ authority: Drafts, subjects: Drafts }),
  history: z.array(z.object({ type: z.string(), at: Instant, officerId: Uuid.nullable() })),
});
export type Breach = z.infer<typeof Breach>;

const params = z.object({ breachId: Uuid });
const Version = { version: z.int().positive() };
const act = {
  access: officer,
  params,
  answer: z.object({ status: z.literal("recorded") }),
  problems: [problems.breach_unknown, problems.breach_closed, platformProblems.version_conflict],
} as const;
const base = "/api/console/privacy/breaches";
const Known = z.object({ facts: BreachFacts, text: BreachText });

/** For officers: the register of breaches of personal data (GDPR, article 33 (5)). */
export const breachCalls = defineCalls({
  [`GET ${base}` as const]: {
    summary: "The register of breaches, those that are not closed first",
    access: officer,
    answer: z.object({ breaches: z.array(ListedBreach) }),
  },
  [`GET ${base}/:breachId` as const]: {
    summary: "One breach, with drafts of its notices",
    access: officer,
    params,
    answer: z.object({ breach: Breach }),
    problems: [problems.breach_unknown],
  },
  [`POST ${base}` as const]: {
    summary: "Records a breach; its 72 hours run from the discovery",
    access: officer,
    body: Known,
    status: 201,
    answer: z.object({ breachId: Uuid }),
    problems: [problems.discovered_later, problems.store_unknown],
  },
  [`POST ${base}/:breachId/correct` as const]: {
    ...act,
    summary: "Records what is known now; what was known before stays in the register",
    body: Known.extend(Version),
    problems: [...act.problems, problems.discovered_later, problems.store_unknown],
  },
  [`POST ${base}/:breachId/decide` as const]: {
    ...act,
    summary: "Decides whether the authority, or the people concerned, are notified, and why",
    body: DecisionText.extend({
      ...Version,
      of: z.enum(["authority", "subjects"]),
      notify: z.boolean(),
    }),
    problems: [...act.problems, problems.notice_sent],
  },
  [`POST ${base}/:breachId/notified` as const]: {
    ...act,
    summary: "Records that a notice was sent, and when",
    body: z.object({ ...Version, of: z.enum(["authority", "subjects"]), notifiedAt: Instant }),
    problems: [
      ...act.problems,
      problems.notice_not_decided,
      problems.notice_sent,
      problems.discovered_later,
    ],
  },
  [`POST ${base}/:breachId/close` as const]: {
    ...act,
    summary: "Closes a breach whose decisions are made and whose notices are sent",
    body: z.object(Version),
    problems: [...act.problems, problems.breach_not_settled],
  },
});
