import type { FileStore } from "@pro-talent/platform/files/file-store";
import {
  callService,
  type ServiceAddress,
  ServiceRefusal,
} from "@pro-talent/platform/http/service-client";
import { internalClosingCalls } from "@pro-talent/schemas/accounts/internal-calls";
import { internalErasureCalls } from "@pro-talent/schemas/analytics/erasure-calls";
import { keyStep } from "@pro-talent/schemas/privacy/events";
import { transitionOf } from "@pro-talent/schemas/privacy/transitions";
import { v5 as uuidV5 } from "uuid";

import type { ContactOf } from "../../../contacts.ts";
import type { CommandContext } from "../../../kernel/commands.ts";
import type { ErasedPerson, Eraser } from "../../../kernel/erasers.ts";
import type { WorkerContext } from "../../../kernel/module.ts";
import { removePackages } from "../fulfil/access-package.ts";
import { collectedTrace, removeCollected } from "../fulfil/collected-copy.ts";
import { requestsOf } from "../read-models.ts";
import { endSearch } from "../search/searches.ts";
import { recordWork } from "../work.ts";

/** How a holder is addressed until the account is erased, also after it was closed. */
export function closingContactsOver(accounts: ServiceAddress): ContactOf {
  const call = callService(accounts, internalClosingCalls);
  return async (accountId) => {
    try {
      return await call("GET /internal/accounts/:accountId/closing", { params: { accountId } });
    } catch (error) {
      if (error instanceof ServiceRefusal && error.code === "not_found") return undefined;
      throw error;
    }
  };
}

/** Ends every way into an account. */
export function closingOver(accounts: ServiceAddress) {
  const call = callService(accounts, internalClosingCalls);
  return async ({ accountId }: ErasedPerson): Promise<void> => {
    await call("POST /internal/accounts/:accountId/closing", { params: { accountId }, body: {} });
  };
}

/** The account with its profile, factors, sessions and its key. */
export function accountEraser(accounts: ServiceAddress): Eraser {
  const call = callService(accounts, internalClosingCalls);
  return {
    step: "accounts",
    erase: (_context, { accountId }) =>
      call("DELETE /internal/accounts/:accountId", { params: { accountId } }),
  };
}

/** Namespace of the ids of erasures by account: drawn at random once, fixed for ever. */
const erasureNamespace = "9b0e6f52-6e0d-4f3c-9d0b-3a5b2f1c7e64";

/** What ClickHouse and the spool hold of the opens of the account's links. */
export function analyticsEraser(collector: ServiceAddress): Eraser {
  const call = callService(collector, internalErasureCalls);
  return {
    step: "analytics",
    erase: async (_context, { accountId }) => {
      const erasureId = uuidV5(accountId, erasureNamespace);
      const subject = { kind: "account", id: accountId } as const;
      await call("POST /internal/analytics/erasures", { body: { erasureId, subject } });
      const { status, rows } = await call("GET /internal/analytics/erasures/:erasureId", {
        params: { erasureId },
      });
      return { found: rows, left: status === "erased" ? 0 : 1 };
    },
  };
}

/**
 * Ends the other requests of an account that is erased: with each goes what it holds, such as a package.
 * @returns how many were open
 */
async function endOtherRequests(
  context: WorkerContext,
  accountId: string,
  why: CommandContext,
): Promise<number> {
  const known = (await requestsOf(context.ledger.sql, accountId)).filter(
    ({ type, status, relation }) =>
      transitionOf(type, status, endedByErasure.type) !== undefined &&
      (status !== "completed" || relation !== null),
  );
  // Of a form that is completed, a mail may still be owed: its address is erased all the same.
  const ended = [];
  for (const one of known)
    if (one.status !== "completed" || (await context.subjects.find(one.requestId)) !== undefined)
      ended.push(one);
  for (const { requestId } of ended) await recordWork(context, requestId, endedByErasure, why);
  return ended.length;
}
const endedByErasure = { type: "RequestEndedByErasure", data: {} } as const;

/** The other requests of the account, and every package that was made for it. */
export function requestsEraser(files: FileStore): Eraser {
  return {
    step: "requests",
    tracesOf: async ({ ledger }, { accountId }) => ({
      // Packages are named after their requests.
      values: (await requestsOf(ledger.sql, accountId)).flatMap(({ requestId }) => [
        `packages/${requestId}-`,
        collectedTrace(requestId),
      ]),
    }),
    erase: async (context, { accountId }, why) => {
      const found = await endOtherRequests(context, accountId, why);
      for (const { requestId } of await requestsOf(context.ledger.sql, accountId)) {
        await removePackages(files, requestId);
        await removeCollected(files, requestId);
      }
      return { found, left: 0 };
    },
  };
}

/**
 * The last step: what is sealed with the requests of the account themselves, such as a reason. One that
 * arrived in the moment in which the account was closed ends now.
 */
export const requestKeysEraser: Eraser = {
  step: keyStep,
  subjectsOf: async ({ ledger }, { accountId }) =>
    (await requestsOf(ledger.sql, accountId)).map(({ requestId }) => requestId),
  erase: async (context, { accountId }, why) => {
    const { ledger, subjects } = context;
    await endOtherRequests(context, accountId, why);
    const requests = await requestsOf(ledger.sql, accountId);
    let found = 0;
    for (const { requestId } of requests) {
      if ((await subjects.find(requestId)) !== undefined) found += 1;
      await subjects.shred(requestId);
      if (await endSearch({ ledger, subjects }, requestId, why)) found += 1;
    }
    return { found, left: 0 };
  },
};
