import { queryOptions, useQueryClient } from "@tanstack/react-query";

import { accountApi } from "../../api-client/account-api.ts";
import { queryAnswer } from "../../api-client/query-answer.ts";
import type { CallAnswer, CallName, CallResult } from "../../api-client/request.ts";
import { type AccountFault, type Refused, refusalIn } from "../submission.machine.ts";

const base = "/api/console/privacy/breaches" as const;
export type ListedBreach = CallAnswer<`GET ${typeof base}`>["breaches"][number];
export type Breach = CallAnswer<`GET ${typeof base}/:breachId`>["breach"];
export type Of = "authority" | "subjects";

const key = ["console", "privacy", "breaches"] as const;

export const breachesQuery = queryOptions({
  queryKey: key,
  queryFn: () => queryAnswer(accountApi().call(`GET ${base}`, {})),
  // Other officers work on the same register.
  refetchInterval: 60_000,
});

export const breachQuery = (breachId: string) =>
  queryOptions({
    queryKey: [...key, breachId],
    queryFn: () =>
      queryAnswer(accountApi().call(`GET ${base}/:breachId`, { params: { breachId } })),
  });

/** What is known of a breach, as a form gives it. */
export type Known = Pick<
  Breach,
  "people" | "records" | "dataCategories" | "peopleCategories" | "stores" | "text"
> & { discoveredAt: string };

const faultOfCode: Readonly<Record<string, AccountFault>> = {
  version_conflict: "breaches:errors.changed",
  breach_closed: "breaches:errors.closed",
  discovered_later: "breaches:errors.later",
  notice_sent: "breaches:errors.sent",
  notice_not_decided: "breaches:errors.notDecided",
  breach_not_settled: "breaches:errors.notSettled",
};

const bodyOf = ({ text, ...facts }: Known) => {
  const { discoveredAt, people, records, dataCategories, peopleCategories, stores } = facts;
  return {
    facts: { discoveredAt, people, records, dataCategories, peopleCategories, stores },
    text,
  };
};

/** Acts on the version that is shown; after each, also a refused one, the breach is loaded anew. */
export function useBreachActs(breach?: Breach) {
  const cache = useQueryClient();
  const { call } = accountApi();
  const outcomeOf = async <Name extends CallName>(
    calling: Promise<CallResult<Name>>,
  ): Promise<Refused | undefined> => {
    const result = await calling;
    await cache.invalidateQueries({ queryKey: key });
    if (result.ok) return undefined;
    const fault = faultOfCode[result.code ?? ""];
    return fault === undefined ? refusalIn(result) : { fault };
  };
  const { breachId = "", version = 1 } = breach ?? {};
  const params = { breachId };
  return {
    record: (known: Known) => outcomeOf(call(`POST ${base}`, { body: bodyOf(known) })),
    correct: (known: Known) =>
      outcomeOf(
        call(`POST ${base}/:breachId/correct`, { params, body: { ...bodyOf(known), version } }),
      ),
    decide: (of: Of, notify: boolean, reason: string) =>
      outcomeOf(
        call(`POST ${base}/:breachId/decide`, { params, body: { version, of, notify, reason } }),
      ),
    notified: (of: Of, notifiedAt: string) =>
      outcomeOf(
        call(`POST ${base}/:breachId/notified`, { params, body: { version, of, notifiedAt } }),
      ),
    close: () => outcomeOf(call(`POST ${base}/:breachId/close`, { params, body: { version } })),
  };
}
