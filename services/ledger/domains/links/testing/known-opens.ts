import type { Instant } from "@pro-talent/schemas/primitives/instant";

import type { OpensSource } from "../open-mails/opens-source.ts";

type Open = { accountId: string; linkId: string; at: Instant; country: string | null };

/** The insights service as mails ask it: it knows what a test adds, in the order of time, unless it is away. */
export function knownOpens() {
  const opened: Open[] = [];
  const insights = { opened, away: false };
  const known = (): readonly Open[] => {
    if (insights.away) throw new Error("Insights is away");
    return opened;
  };
  const opens: OpensSource = {
    opened: async (from, until) => known().filter(({ at }) => at >= from && at < until),
    firstOpens: async (accountId, since) =>
      [...Map.groupBy(known(), ({ linkId }) => linkId).values()].flatMap(([first]) => {
        if (first?.accountId !== accountId || first.at < since) return [];
        const { linkId, at, country } = first;
        return [{ linkId, at, country, device: "mobile" }];
      }),
    opens: async (accountId, from, until) => {
      const within = known().filter(
        (open) => open.accountId === accountId && open.at >= from && open.at < until,
      );
      return [...Map.groupBy(within, ({ linkId }) => linkId)].flatMap(
        ([linkId, [first, ...more]]) =>
          first === undefined ? [] : [{ linkId, opens: 1 + more.length, firstAt: first.at }],
      );
    },
  };
  return Object.assign(insights, { opens });
}
