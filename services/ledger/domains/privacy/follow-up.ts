import type { FileStore } from "@pro-talent/platform/files/file-store";
import { PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import { InactivityEvent } from "@pro-talent/schemas/privacy/inactivity";
import { v5 as uuidV5 } from "uuid";

import type { Exemption } from "../../exemption.ts";
import { runCommand } from "../../kernel/commands.ts";
import type { WorkerContext } from "../../kernel/module.ts";
import { defineProcess } from "../../kernel/processes.ts";
import type { TimerHandlers } from "../../kernel/timers.ts";
import type { PrivacyCommand } from "./decider.ts";
import { removePackages } from "./fulfil/access-package.ts";
import { removeCollected } from "./fulfil/collected-copy.ts";
import type { Recordable } from "./guards.decider.ts";
import { requestsOf } from "./read-models.ts";
import { privacyRequests } from "./requests.ts";

/**
 * A deletion that was cancelled has a request of its own for it, completed as soon as it is received. It
 * is recorded after the cancellation, so that it never states one that was refused.
 */
export const recordCancellations = defineProcess({
  name: "privacy.record-cancellations",
  reads: { category: "privacy", contract: PrivacyEvent },
  stream: privacyRequests,
  react: ({ event }) =>
    event.type === "DeletionCancelled"
      ? { id: event.data.cancellationId, command: received }
      : undefined,
});
const received: PrivacyCommand = {
  type: "ReceiveRequest",
  requestType: "cancel-deletion",
  accountId: null,
  identity: "step-up",
};

/** The deletion of an account that is not used begins as that of a holder does, with the same clocks. */
export const receiveInactive = defineProcess({
  name: "privacy.receive-inactive",
  reads: { category: "inactivity", contract: InactivityEvent },
  stream: privacyRequests,
  react: ({ id: accountId, event }) => {
    if (event.type !== "InactiveDeletionRequested") return undefined;
    const command: PrivacyCommand = {
      type: "ReceiveRequest",
      requestType: "delete",
      accountId,
      identity: "inactivity",
    };
    return { id: event.data.requestId, command };
  },
});

/** It is cancelled when the account is used again, or a notice turns out not to have arrived. */
export const cancelInactive = defineProcess({
  name: "privacy.cancel-inactive",
  reads: { category: "inactivity", contract: InactivityEvent },
  stream: privacyRequests,
  react: ({ event }) => {
    const isOver = event.type === "InactivityEnded" || event.type === "InactivityNoticeReturned";
    const requestId = isOver ? event.data.requestId : null;
    if (requestId === null) return undefined;
    const data = { cancellationId: cancellationOf(requestId) };
    const command: PrivacyCommand = { type: "Record", fact: { type: "DeletionCancelled", data } };
    return { id: requestId, command };
  },
});

const cancellationNamespace = "7f3a5f0e-2f4d-4b52-8a60-4f0b9c1f6a27";
/** The id of the request that a cancellation of a deletion is. */
export const cancellationOf = (requestId: string): string =>
  uuidV5(requestId, cancellationNamespace);

/** Ends what has lasted its time: requests without an identity, packages; and records what is late. */
export function privacyTimerHandlers(
  { ledger, subjects }: Pick<WorkerContext, "ledger" | "subjects">,
  files: FileStore,
): TimerHandlers {
  const records =
    (type: "IdentityExpired" | "DueDateMissed" | "PackageExpired"): TimerHandlers[string] =>
    async (id, context) => {
      const command: PrivacyCommand = { type: "Record", fact: { type, data: {} } };
      await runCommand(ledger, privacyRequests, { id, command, body: command, ...context });
    };
  return {
    "privacy.identity": records("IdentityExpired"),
    "privacy.due": records("DueDateMissed"),
    "privacy.package": records("PackageExpired"),
    /** Of what officers have reviewed: the package is sealed, and is what is handed out. */
    "privacy.unredacted": async (id) => await removeCollected(files, id),
    /** Of what was written with a request that is completed, and of its package. */
    "privacy.destroy-key": async (id, context) => {
      if ((await subjects.find(id)) !== undefined) {
        // The database destroys no key without the fact.
        const fact: Recordable = { type: "ContentsForgotten", data: {} };
        const command: PrivacyCommand = { type: "Record", fact };
        await runCommand(ledger, privacyRequests, { id, command, body: command, ...context });
      }
      await subjects.shred(id);
      await removePackages(files, id);
      await removeCollected(files, id);
    },
  };
}

/** An account whose holder asks for something is not inactive. */
export const requestExemption: Exemption = async ({ ledger }, accountId) => {
  const requests = await requestsOf(ledger.sql, accountId);
  return requests.some(({ outcome }) => outcome === null) ? "request-open" : null;
};
