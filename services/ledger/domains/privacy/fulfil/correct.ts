import { callService, type ServiceAddress } from "@pro-talent/platform/http/service-client";
import { internalCorrectionCalls } from "@pro-talent/schemas/accounts/internal-calls";
import { type Correctable, Correction } from "@pro-talent/schemas/privacy/correction";
import {
  type CorrectionField,
  correctionFields,
  profileFieldOf,
} from "@pro-talent/schemas/privacy/correction-fields";
import { handlingOf } from "@pro-talent/schemas/privacy/recipients";
import { z } from "zod";

import type { RecipientSource } from "../../../held.ts";
import type { LedgerContext, WorkerContext } from "../../../kernel/module.ts";
import { loadState, readSealed } from "../../../kernel/streams.ts";
import type { TimerHandler } from "../../../kernel/timers.ts";
import { recipientsOf } from "../recipients.ts";
import { privacyEvents, privacyRequests } from "../requests.ts";
import { logFailure, recordWork } from "../work.ts";

/** Sealed with the request, and with the officer's approval: what the values are to replace. */
const Asked = z.object({ asked: Correction });
const Reviewed = z.object({ held: Correction });

export type Profiles = {
  /** What an account holds of the fields that can be corrected. */
  readonly correctableOf: (accountId: string) => Promise<Correctable>;
  /** Replaces values that are still as they were reviewed. May be repeated. */
  readonly correct: (
    accountId: string,
    change: { readonly held: Correction; readonly asked: Correction },
  ) => Promise<{ readonly status: "corrected" | "outdated"; readonly now: Correctable }>;
};

/** Asks the accounts service. */
export function profilesOver(accounts: ServiceAddress): Profiles {
  const call = callService(accounts, internalCorrectionCalls);
  return {
    correctableOf: (accountId) =>
      call("GET /internal/accounts/:accountId/correctable", { params: { accountId } }),
    correct: (accountId, body) =>
      call("POST /internal/accounts/:accountId/corrections", { params: { accountId }, body }),
  };
}

/** What a request asks to be corrected; undefined once its key is destroyed. */
export async function askedIn(
  context: Pick<LedgerContext, "ledger" | "subjects">,
  requestId: string,
): Promise<Correction | undefined> {
  return (await openedIn(context, requestId, "RequestReceived", Asked))?.asked;
}

/** The fields that a correction names, in the order of the list. */
export const fieldsOf = (asked: Correction): CorrectionField[] =>
  correctionFields.filter((field) => asked[profileFieldOf[field]] !== undefined);

/** A correction of these fields alone. */
export const correctionOf = (asked: Correction, fields: readonly string[]): Correction =>
  Correction.parse(
    Object.fromEntries(
      fieldsOf(asked)
        .filter((field) => fields.includes(field))
        .map((field) => [profileFieldOf[field], asked[profileFieldOf[field]]]),
    ),
  );

async function openedIn<Contract extends z.ZodType>(
  { ledger, subjects }: Pick<LedgerContext, "ledger" | "subjects">,
  requestId: string,
  type: "RequestReceived" | "CorrectionApproved",
  contract: Contract,
): Promise<z.infer<Contract> | undefined> {
  const sealed = await readSealed(ledger.sql, privacyEvents.streamOf(requestId), type);
  const subject = sealed === undefined ? undefined : await subjects.find(sealed.keyId);
  return sealed === undefined ? undefined : subject?.open(sealed.bytes, contract);
}

/**
 * Applies the approved fields of a correction, in one step of the account: compared with what the
 * officer saw, replaced, and read back. If a value has changed meanwhile none is replaced, and the request
 * is reviewed again.
 */
export function correctHandler(
  context: WorkerContext,
  profiles: Profiles,
  sources: readonly RecipientSource[],
): TimerHandler {
  return async (id, why) => {
    const { state } = await loadState(context.ledger.sql, privacyRequests, id);
    if (state.status !== "applying" || state.accountId === null) return;
    const asked = await askedIn(context, id);
    const reviewed = await openedIn(context, id, "CorrectionApproved", Reviewed);
    if (asked === undefined || reviewed === undefined) return;
    const [first = "notices"] = state.open;
    const approved = correctionOf(asked, state.plan);
    const applied = await profiles
      .correct(state.accountId, { held: reviewed.held, asked: approved })
      .catch(logFailure(context, first));
    if (applied === undefined) {
      const data = { step: first, code: "unavailable" };
      return await recordWork(context, id, { type: "StepFailed", data }, why);
    }
    if (applied.status === "outdated")
      return await recordWork(context, id, { type: "CorrectionOutdated", data: {} }, why);
    const open = fieldsOf(asked).filter((field) => state.open.includes(field));
    for (const step of open) {
      const field = profileFieldOf[step];
      const left = applied.now[field] === asked[field] ? 0 : 1;
      await recordWork(context, id, { type: "StepDone", data: { step, found: 1, left } }, why);
    }
    const person = { accountId: state.accountId, at: why.now };
    const recipients = await recipientsOf(context, sources, person).catch(
      logFailure(context, "notices"),
    );
    if (recipients === undefined) {
      const data = { step: "notices", code: "unavailable" };
      return await recordWork(context, id, { type: "StepFailed", data }, why);
    }
    const data = {
      recipients: recipients.map(({ recipient }) => ({
        recipient,
        result: handlingOf[recipient].correction.result,
      })),
    };
    await recordWork(context, id, { type: "RecipientsNotified", data }, why);
  };
}
