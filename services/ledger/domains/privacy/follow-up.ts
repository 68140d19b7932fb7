import type { FileStore } from "@pro-talent/platform/files/file-store";
import { PrivacyEvent } from "@pro-talent/schemas/privacy/events";

import { runCommand } from "../../kernel/commands.ts";
import type { WorkerContext } from "../../kernel/module.ts";
import { defineProcess } from "../../kernel/processes.ts";
import type { TimerHandlers } from "../../kernel/timers.ts";
import type { PrivacyCommand } from "./decider.ts";
import { removePackages } from "./fulfil/access-package.ts";
import type { Recordable } from "./guards.decider.ts";
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
    },
  };
}
