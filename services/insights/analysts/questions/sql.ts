import type { QuestionName } from "@pro-talent/schemas/analysts/questions";

/** Groups that are named at most; those with the fewest visitors beyond them are answered together. */
const namedMax = 2000;

/** Of `groups`: name, part (see {@link parts}), visitors, amount. */
const groups = (
  name: string,
  from: string,
  amount = "count()",
  visitors = "uniqExact(visitor_id)",
) =>
  `SELECT if(place > ${namedMax}, '', group_name) AS name, if(place > ${namedMax}, ${parts.rest}, is_total) AS part,
sum(group_visitors) AS visitors, sum(group_amount) AS amount
FROM (SELECT group_name, is_total, group_visitors, group_amount,
row_number() OVER (PARTITION BY is_total ORDER BY group_visitors DESC, group_name ASC) AS place
FROM (SELECT toString(${name}) AS group_name, grouping(group_name) AS is_total, ${visitors} AS group_visitors, ${amount} AS group_amount
FROM ${from} GROUP BY GROUPING SETS ((group_name), ())))
GROUP BY name, part`;

/** What a row of `groups` is: a group, all of them together, or those that are not named. */
export const parts = { group: 0, total: 1, rest: 2 } as const;

const inRange = "day BETWEEN {from:Date} AND {to:Date}";
const visits = `sessions WHERE ${inRange} AND is_bot = 0`;

/** Views of pages, each with the one before it in the same session. */
const views = `(SELECT visitor_id, page, lagInFrame(page) OVER (PARTITION BY session_id ORDER BY occurred_at ASC) AS previous
FROM events WHERE ${inRange} AND is_bot = 0 AND kind = 'page_view')`;

/** Each reached in order within 30 days; the first is any view of a page. */
export const funnelSteps = ["visit", "pricing", "join", "checkout-done"] as const;
const steps = ["1", "page = '/pricing'", "page = '/join'", "page = '/checkout/return'"];

/** Weeks after the first that are answered. */
export const weeksAfter = 8;

type SqlOf = Readonly<Record<QuestionName, string>>;

/** The ready-made questions, as an analyst could ask them. */
export const questionSql: SqlOf = {
  channels: groups("channel", visits),
  campaigns: groups("utm_campaign", `${visits} AND utm_campaign != ''`),
  "entry-pages": groups("entry_page", `${visits} AND entry_page != ''`),
  "exit-pages": groups("exit_page", `${visits} AND exit_page != ''`),
  "reading-paths": groups(
    "concat(previous, ' → ', page)",
    `${views} WHERE previous != '' AND previous != page`,
  ),
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
    `events WHERE ${inRange} AND is_bot = 0 AND kind = 'page_view' AND page = '/newsletter/confirmed'`,
  ),
  funnel: `SELECT ${steps.map((_, at) => `countIf(reached > ${at}) AS step_${at}`).join(", ")}
FROM (SELECT visitor_id, windowFunnel(2592000)(occurred_at, ${steps.join(", ")}) AS reached
FROM events WHERE ${inRange} AND is_bot = 0 AND kind = 'page_view' GROUP BY visitor_id)`,
  retention: `SELECT toString(first_week) AS week, week_of_visit, uniqExact(visitor_id) AS visitors
FROM (SELECT visitor_id, min(toMonday(day)) AS first_week, groupUniqArray(toMonday(day)) AS weeks
FROM ${visits} GROUP BY visitor_id)
ARRAY JOIN arrayMap(w -> toUInt32(dateDiff('week', first_week, w)), weeks) AS week_of_visit
WHERE week_of_visit <= ${weeksAfter}
GROUP BY first_week, week_of_visit ORDER BY first_week, week_of_visit`,
};
