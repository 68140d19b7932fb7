import { newsletterPaths } from "@pro-talent/schemas/newsletter/categories";

import type { Answer, ApiClient } from "../../../api-client/request.ts";
import { textIn } from "../text-in.ts";
import type { ResendTrouble } from "./confirm-view.ts";

/** What became of a confirmation; when nothing answered, the call throws. */
export type ConfirmOutcome =
  | { kind: "confirmed"; email: string }
  | { kind: "used" | "expired" | "unknown" | "failed" };

/** What became of the wish for another mail; when nothing answered, the call throws. */
export type ResendOutcome = {
  kind: "resent" | "used" | "unknown" | Exclude<ResendTrouble, "network">;
};

type LinkState = "used" | "expired" | "unknown";

/** What an answer says about the link itself. A token that the ledger cannot read is unknown to it. */
function linkState({ status }: Answer): LinkState | undefined {
  if (status === 409) return "used";
  if (status === 410) return "expired";
  return status === 404 || status === 422 ? "unknown" : undefined;
}

export function confirmOutcomeOf(answer: Answer): ConfirmOutcome {
  if (answer.ok) return { kind: "confirmed", email: textIn(answer.body, "email") ?? "" };
  return { kind: linkState(answer) ?? "failed" };
}

export function resendOutcomeOf(answer: Answer): ResendOutcome {
  if (answer.ok) return { kind: "resent" };
  if (answer.status === 429) return { kind: "tooMany" };
  const state = linkState(answer);
  return { kind: state === undefined || state === "expired" ? "failed" : state };
}

/** @throws when nothing answered */
export async function confirm(
  api: Pick<ApiClient, "post">,
  token: string,
): Promise<ConfirmOutcome> {
  return confirmOutcomeOf(await api.post(newsletterPaths.confirm, { body: { token } }));
}

/** @throws when nothing answered */
export async function resend(api: Pick<ApiClient, "post">, token: string): Promise<ResendOutcome> {
  return resendOutcomeOf(await api.post(newsletterPaths.resend, { body: { token } }));
}
