import type {
  NewsletterFrequency,
  NewsletterTopic,
} from "@pro-talent/schemas/newsletter/categories";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import type { ApiClient, CallAnswer, CallName, RefusalCode } from "../../api-client/request.ts";

/** The calls behind the links of mails. All throw when there is no answer. */
type MailTokenCall = Extract<
  CallName,
  `POST /api/newsletter/${"confirm" | "resend" | "unsubscribe"}`
>;

/** `failed`: the platform could not do it now. */
export type ConfirmResult =
  | { kind: "confirmed"; email: string }
  | { kind: "used" | "superseded" | "expired" | "unknown" | "failed" };
export type ResendResult = { kind: "resent" | "used" | "unknown" | "tooMany" | "failed" };

type TokenState = "used" | "superseded" | "expired" | "unknown";

/** The state of a refused token. A malformed one is unknown too. */
function tokenState(code: RefusalCode<MailTokenCall> | undefined): TokenState | undefined {
  switch (code) {
    case "token_used":
      return "used";
    case "token_superseded":
      return "superseded";
    case "token_expired":
      return "expired";
    case "token_unknown":
    case "invalid_body":
      return "unknown";
    default:
      return undefined;
  }
}

export async function confirm({ call }: ApiClient, token: string): Promise<ConfirmResult> {
  const result = await call("POST /api/newsletter/confirm", { body: { token } });
  if (result.ok) return { kind: "confirmed", email: result.answer?.email ?? "" };
  return { kind: tokenState(result.code) ?? "failed" };
}

export async function resend({ call }: ApiClient, token: string): Promise<ResendResult> {
  const result = await call("POST /api/newsletter/resend", { body: { token } });
  if (result.ok) return { kind: "resent" };
  if (result.code === "rate_limited") return { kind: "tooMany" };
  const state = tokenState(result.code);
  return { kind: state === "used" || state === "unknown" ? state : "failed" };
}

export type Preferences = {
  frequency: NewsletterFrequency;
  topics: readonly NewsletterTopic[];
  language: Locale;
};
/** The address of a former subscriber may be erased, and is empty then. */
export type Subscriber = CallAnswer<"GET /api/newsletter/preferences">;
export type PreferencesResult =
  | { kind: "known"; subscriber: Subscriber }
  | { kind: "unknown" | "failed" };
export type LeaveResult = { kind: "left" | "unknown" | "failed" };

export async function loadPreferences(
  { call }: ApiClient,
  token: string,
): Promise<PreferencesResult> {
  const result = await call("GET /api/newsletter/preferences", { query: { token } });
  if (!result.ok) return { kind: tokenState(result.code) === "unknown" ? "unknown" : "failed" };
  return result.answer === undefined
    ? { kind: "failed" }
    : { kind: "known", subscriber: result.answer };
}

export async function savePreferences(
  { call }: ApiClient,
  token: string,
  { language, frequency, topics }: Preferences,
): Promise<PreferencesResult> {
  const body = { token, language, frequency, topics: [...topics] };
  const result = await call("POST /api/newsletter/preferences", { body });
  if (!result.ok) return { kind: tokenState(result.code) === "unknown" ? "unknown" : "failed" };
  return result.answer === undefined
    ? { kind: "failed" }
    : { kind: "known", subscriber: result.answer };
}

export async function unsubscribe({ call }: ApiClient, token: string): Promise<LeaveResult> {
  const result = await call("POST /api/newsletter/unsubscribe", { body: { token } });
  if (result.ok) return { kind: "left" };
  return { kind: tokenState(result.code) === "unknown" ? "unknown" : "failed" };
}

export type NewLinkResult = { kind: "sent" | "emailInvalid" | "tooMany" | "failed" };

/** The answer is the same for every address. */
export async function requestLink({ call }: ApiClient, email: string): Promise<NewLinkResult> {
  const result = await call("POST /api/newsletter/preferences/link", { body: { email } });
  if (result.ok) return { kind: "sent" };
  if (result.code === "invalid_body") return { kind: "emailInvalid" };
  return { kind: result.code === "rate_limited" ? "tooMany" : "failed" };
}
