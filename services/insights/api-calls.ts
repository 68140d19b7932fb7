import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { opensApiCalls } from "@pro-talent/schemas/insights/api-calls";
import { Instant } from "@pro-talent/schemas/primitives/instant";

import { timeOf } from "./ask.ts";
import { beginAsking, type InsightsContext } from "./asking.ts";
import { opens } from "./questions/opens.ts";
import { openView, VisitorNumbers } from "./views.ts";

/** Programs of account holders about the opens of their links. */
export function apiHandlers(context: InsightsContext): CallHandlers<typeof opensApiCalls> {
  return {
    "GET /api/v1/opens": async ({ query }, { account: { accountId } }) => {
      const { linkId, cursor, limit: count, ...days } = query;
      const before = cursor === undefined ? undefined : readCursor(cursor);
      const asked = { ...days, zone: "UTC" };
      const { ask, about, range } = await beginAsking(context, accountId, asked, {
        asked: [linkId],
      });
      const until = before !== undefined && before < range.until ? before : range.until;
      const rows = await ask(opens, { ...about, until: timeOf(until), alsoExcluded: 0, count });
      const numbers = new VisitorNumbers();
      const last = (rows[0]?.matching ?? 0) > rows.length ? rows.at(-1) : undefined;
      return {
        opens: rows.map((row) => openView(row, numbers)),
        nextCursor: last === undefined ? null : Buffer.from(last.at).toString("base64url"),
      };
    },
  };
}

/** A page ends between two moments. @throws ProblemError for what no answer contained */
function readCursor(cursor: string): Instant {
  const at = Instant.safeParse(Buffer.from(cursor, "base64url").toString());
  if (!at.success) throw new ProblemError("bad_request");
  return at.data;
}
