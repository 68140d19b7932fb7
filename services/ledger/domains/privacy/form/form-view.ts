import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { privacyFormLimits as limit } from "@pro-talent/schemas/privacy/form";
import type { FormRequest } from "@pro-talent/schemas/privacy/form-calls";

import { codesLeft } from "../form-state.decider.ts";
import { viewIn } from "../own-requests.ts";
import type { RequestRow } from "../read-models.ts";
import type { KnownRequest } from "../state.decider.ts";

/** A request as the sender of its form sees it: nothing of the data subject, and nothing of officers. */
export function formView(row: RequestRow, state: KnownRequest, now: Instant): FormRequest {
  const { status, relation } = state;
  const view = viewIn(row, state, now);
  return {
    ...view,
    // Before the address is verified no date is promised, and nothing says what follows.
    deletion: status === "received" || status === "verified" ? null : view.deletion,
    relation: relation ?? "mailbox",
    identity: identityOf(row),
    attemptsLeft: Math.max(0, limit.attemptsMax - state.codes.failed),
    codesLeft: codesLeft(state, now),
    canEnd: view.possible.some(
      (event) => event === "RequestWithdrawn" || event === "DeletionCancelled",
    ),
  };
}

function identityOf({ identity }: RequestRow): FormRequest["identity"] {
  if (identity === "open") return "open";
  return identity === "expired" ? "ended" : "verified";
}
