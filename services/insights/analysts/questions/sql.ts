import type { QuestionName } from "@pro-talent/schemas/analysts/questions";

/** Groups that are named at most; those with the fewest visitors beyond them are answered together. */
const namedMax = 2000;

/** Of groups: name, part (see {@link parts}), visitors, amount; the largest by their names. */
const ranked = (from: string) =>
  `SELECT if(place > ${namedMax}, '', group_name) AS name, if(place > ${namedMax}, ${parts.rest}, is_total) AS part,
sum(group_visitors) AS visitors, sum(group_amount) AS amount
FROM (SELECT group_name, is_total, group_visitors, group_amount,
row_number() OVER (PARTITION BY is_total ORDER BY group_visitors DESC, group_name ASC) AS place
FROM (${from}))
GROUP BY name, part`;

const groups = (name: string, from: string, amount = "count()", visitors = "uniq(visitor_id)") =>
  ranked(`SELECT ${name} AS group_name, grouping(group_name) AS is_total, ${visitors} AS group_visitors, ${amount} AS group_amount
FROM ${from} GROUP BY GROUPING SETS ((group_name), ())`);

/** What a row of {@link ranked} is: a group, all of them together, or those that are not named. */
export const parts = { group: 0, total: 1, rest: 2 } as const;

const inRange = "day BETWEEN {from:Date} AND {to:Date}";
const visits = `sessions WHERE ${inRange} AND is_bot = 0`;

const views = `page_views WHERE ${inRange} AND is_bot = 0`;

/** The first is any view of a page; the others are views of these pages, in order and within 30 days. */
export const funnelSteps = ["visit", "pricing", "join", "checkout-done"] as const;
const pages = ["/pricing", "/join", "/checkout/return"].map((page) => `'${page}'`);

/** @param all counts those who viewed any page */
const funnelFrom = (all: string) =>
  `SELECT (${all}) AS step_0, ${pages.map((_, at) => `countIf(reached > ${at}) AS step_${at + 1}`).join(", ")}
FROM (SELECT visitor_id, windowFunnel(2592000)(occurred_at, ${pages.map((page) => `page = ${page}`).join(", ")}) AS reached
FROM ${views} AND page IN (${pages.join(", ")}) GROUP BY visitor_id)`;

/** Weeks after the first that are answered. */
export const weeksAfter = 8;

type SqlOf = Readonly<Record<QuestionName, string>>;

/** The ready-made questions, as an analyst could ask them. */
export const questionSql: SqlOf = {
  channels: groups("channel", visits),
  campaigns: groups("utm_campaign", `${visits} AND utm_campaign != ''`),
  "entry-pages": groups("entry_page", `${visits} AND entry_page != ''`),
  "exit-pages": groups("exit_page", `${visits} AND exit_page != ''`),
  "reading-paths": groups("path", `${views} AND path != ''`),
  // One decision is one visitor: nothing links two of them.
  "consent-decisions": groups(
    "decision",
    `consent_daily WHERE ${inRange}`,
    "sum(decisions)",
    "sum(decisions)",
  ),
  // Visitors of several days may be the same: at least the most of one row are different.
  "link-opens": groups(
    "channel",
    `link_opens_daily WHERE ${inRange} AND exclusion = ''`,
    "sum(requests)",
    "max(visitors)",
  ),
  "newsletter-growth": groups(
    "toString(toMonday(day))",
    `${views} AND page = '/newsletter/confirmed'`,
  ),
  funnel: funnelFrom(`SELECT uniq(visitor_id) FROM ${views}`),
  // The weeks of a visitor are bits of a number: few different numbers are left to be unfolded.
  retention: `SELECT toString(addWeeks(toMonday({from:Date}), weeks[1])) AS week, later - weeks[1] AS week_of_visit, sum(visitors) AS visitors
FROM (SELECT bitPositionsToArray(seen) AS weeks, count() AS visitors
FROM (SELECT visitor_id, groupBitOr(bitShiftLeft(toUInt64(1), dateDiff('week', toMonday({from:Date}), day))) AS seen
FROM ${visits} GROUP BY visitor_id) GROUP BY seen)
ARRAY JOIN weeks AS later
WHERE week_of_visit <= ${weeksAfter}
GROUP BY week, week_of_visit ORDER BY week, week_of_visit`,
};

/** Visitors who were counted last before a first day are different ones, whatever day of the range they came. */
const different = (first = "{from:Date}") =>
  `sumIf(visitors, days_since > dateDiff('day', ${first}, day))`;
const counts = (property: string) => `visitors_daily WHERE ${inRange} AND property = '${property}'`;
const countedGroups = (property: string) =>
  ranked(`SELECT value AS group_name, is_all AS is_total, ${different()} AS group_visitors, sum(amount) AS group_amount
FROM ${counts(property)} GROUP BY group_name, is_total`);

/** The questions that add up what is counted in advance, where that is so for all days of the range. */
export const countedSql: Partial<SqlOf> = {
  channels: countedGroups("channel"),
  campaigns: countedGroups("campaign"),
  "entry-pages": countedGroups("entry_page"),
  "exit-pages": countedGroups("exit_page"),
  "reading-paths": countedGroups("path"),
  // Of each week those who were not here since it began, of all weeks those who were not since the range began.
  "newsletter-growth": groups(
    "toString(toMonday(day))",
    `${counts("page")} AND value = '/newsletter/confirmed' AND is_all = 0`,
    "sum(amount)",
    `if(grouping(group_name) = 1, ${different()}, ${different("greatest({from:Date}, toMonday(day))")})`,
  ),
  funnel: funnelFrom(`SELECT ${different()} FROM ${counts("page")} AND is_all = 1`),
};
