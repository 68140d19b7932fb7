import { newsletterPaths } from "@pro-talent/schemas/newsletter/categories";

import type { Answer, ApiClient } from "../../../api-client/request.ts";
import { textIn } from "../text-in.ts";
import type { ResendTrouble } from "./confirm-view.ts";

/** The calls throw when there is no answer. */
export type ConfirmResult =
  | { kind: "confirmed"; email: string }
  | { kind: "used" | "expired" | "unknown" | "failed" };

export type ResendResult = {
  kind: "resent" | "used" | "unknown" | Exclude<ResendTrouble, "network">;
};

type TokenState = "used" | "expired" | "unknown";

/** The state of the mail token. A malformed token (422) is unknown too. */
function tokenState({ status }: Answer): TokenState | undefined {
  if (status === 409) return "used";
  if (status === 410) return "expired";
  return status === 404 || status === 422 ? "unknown" : undefined;
}

export function confirmResultOf(answer: Answer): ConfirmResult {
  if (answer.ok) return { kind: "confirmed", email: textIn(answer.body, "email") ?? "" };
  return { kind: tokenState(answer) ?? "failed" };
}

export function resendResultOf(answer: Answer): ResendResult {
  if (answer.ok) return { kind: "resent" };
  if (answer.status === 429) return { kind: "tooMany" };
  const state = tokenState(answer);
  return { kind: state === undefined || state === "expired" ? "failed" : state };
}

/** @throws when there is no answer */
export async function confirm(api: Pick<ApiClient, "post">, token: string): Promise<ConfirmResult> {
  return confirmResultOf(await api.post(newsletterPaths.confirm, { body: { token } }));
}

/** @throws when there is no answer */
export async function resend(api: Pick<ApiClient, "post">, token: string): Promise<ResendResult> {
  return resendResultOf(await api.post(newsletterPaths.resend, { body: { token } }));
}
