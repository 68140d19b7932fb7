import type { DeniedFields } from "@pro-talent/schemas/privacy/correction";
import type {
  denialReasons,
  extensionLaws,
  holdReasons,
  IdentityCheck,
} from "@pro-talent/schemas/privacy/reasons";
import { useQueryClient } from "@tanstack/react-query";

import { accountApi } from "../../api-client/account-api.ts";
import type { CallName, CallResult } from "../../api-client/request.ts";
import type { Translations } from "../../i18n/translations.ts";
import { consoleKey, type Reviewed } from "./console-queries.ts";

/** Why a decision was not recorded; each has a text. */
export type DecisionFault = keyof Translations["privacy-console"]["errors"];

type Reason = (typeof denialReasons)[number];
type HoldReason = (typeof holdReasons)[number];
type Law = (typeof extensionLaws)[number];

const faultOfCode: Readonly<Record<string, DecisionFault>> = {
  version_conflict: "changed",
  assigned_elsewhere: "elsewhere",
  not_assigned: "notAssigned",
  own_request: "own",
  values_changed: "valuesChanged",
  not_possible_now: "notPossible",
  step_up_required: "notConfirmed",
};

/**
 * Makes decisions on the version that is shown. After each, also a refused one, the request is loaded
 * anew: another officer may have changed it.
 */
export function useDecide({ requestId, version, correction }: Reviewed) {
  const cache = useQueryClient();
  const { call } = accountApi();
  const params = { requestId };
  const outcomeOf = async <Name extends CallName>(
    calling: Promise<CallResult<Name>>,
  ): Promise<DecisionFault | undefined> => {
    const result = await calling;
    await cache.invalidateQueries({ queryKey: consoleKey });
    return result.ok ? undefined : (faultOfCode[result.code ?? ""] ?? "failed");
  };
  const base = "/api/console/privacy/requests/:requestId" as const;
  const simple = (act: "claim" | "release" | "retry") =>
    outcomeOf(call(`POST ${base}/${act}`, { params, body: { version } }));
  return {
    claim: () => simple("claim"),
    release: () => simple("release"),
    retry: () => simple("retry"),
    approve: (denied?: DeniedFields) => {
      const held = correction?.held;
      const body = { version, ...(held && { held }), ...(denied && { denied }) };
      return outcomeOf(call(`POST ${base}/approve`, { params, body }));
    },
    check: (check: IdentityCheck) =>
      outcomeOf(call(`POST ${base}/check`, { params, body: { version, check } })),
    deny: (reason: Reason) =>
      outcomeOf(call(`POST ${base}/deny`, { params, body: { version, reason } })),
    extend: (law: Law) =>
      outcomeOf(call(`POST ${base}/extend`, { params, body: { version, law } })),
    hold: (law: string, reviewAt: string) =>
      outcomeOf(call(`POST ${base}/hold`, { params, body: { version, law, reviewAt } })),
    reviewHold: (holdId: string, reason: HoldReason, reviewAt: string) =>
      outcomeOf(
        call(`POST ${base}/holds/:holdId/review`, {
          params: { ...params, holdId },
          body: { version, reason, reviewAt },
        }),
      ),
    releaseHold: (holdId: string) =>
      outcomeOf(
        call(`POST ${base}/holds/:holdId/release`, {
          params: { ...params, holdId },
          body: { version },
        }),
      ),
  };
}
