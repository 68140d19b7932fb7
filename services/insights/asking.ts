import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import { insightProblems } from "@pro-talent/schemas/insights/calls";

import type { AskOwner, Questions } from "./ask.ts";
import type { Owners } from "./owners.ts";
import { type Filters, filterParams, spanParams } from "./questions/owner-opens.ts";
import { type Days, type Range, rangeOf, type Unit } from "./range.ts";

/** What the calls of this service use. */
export type InsightsContext = {
  readonly questions: Questions;
  readonly owners: Owners;
  readonly clock: Clock;
};

/** A call about an owner's links, ready to ask. */
export type Asking = {
  readonly ask: AskOwner;
  readonly range: Range;
  /** What every question about opens needs: links of this owner alone, the range, the filters. */
  readonly about: Filters & ReturnType<typeof spanParams> & { readonly links: readonly string[] };
};

type AskedQuery = Days & Readonly<{ [Name in keyof Filters]?: string | undefined }>;

/**
 * The account that a call is about, and the range of time. Links that are not the account's, and deleted ones, are left out here
 * and by the views, so that they are answered like links that were never opened.
 * @param asked links, or the account itself for its portfolio at its own address; all links of the account when absent
 * @throws ProblemError when the plan includes no analytics, the account is to be deleted, or the range
 * cannot be asked for
 */
export async function beginAsking(
  { questions, owners }: InsightsContext,
  accountId: string,
  query: AskedQuery,
  { unit = "day", asked }: { unit?: Unit; asked?: readonly string[] } = {},
): Promise<Asking> {
  await requireAnalytics(owners, accountId);
  const range = readRange(query, unit);
  const own = await owners.linksOf(accountId);
  const links =
    asked === undefined ? own : [...own, accountId].filter((linkId) => asked.includes(linkId));
  const about = { links, ...spanParams(range), ...filterParams(query) };
  return { ask: questions.ofOwner(accountId), range, about };
}

/** @throws ProblemError `insights_not_included`, `insights_restricted` */
export async function requireAnalytics(owners: Owners, accountId: string): Promise<void> {
  const access = await owners.accessOf(accountId);
  if (access === "restricted") throw new ProblemError(insightProblems.insights_restricted);
  if (access === "not-included") throw new ProblemError(insightProblems.insights_not_included);
}

/** @throws ProblemError for a range that ends before it begins, or is too long */
export function readRange(days: Days, unit: Unit): Range {
  if (days.to < days.from) throw new ProblemError("bad_request");
  const range = rangeOf(days, unit);
  if (range === undefined) throw new ProblemError(insightProblems.range_too_long);
  return range;
}
