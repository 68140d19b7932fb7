import {
  type FieldError,
  type Problem,
  type ProblemCode,
  problemStatus,
} from "@pro-talent/schemas/primitives/problem";

const titles: Record<ProblemCode, string> = {
  malformed_json: "The body is not valid JSON.",
  invalid_encoding: "The body is not valid UTF-8.",
  bad_request: "The request could not be understood.",
  unauthorized: "Sign in to do this.",
  forbidden: "This is not allowed.",
  not_found: "There is nothing at this address.",
  unknown_session: "This session is not known. Start a new one.",
  link_unknown: "This link is not known.",
  link_used: "This link was used before.",
  link_expired: "This link has expired.",
  already_subscribed: "This email is already subscribed.",
  method_not_allowed: "This method is not supported here.",
  version_conflict: "Someone else changed this first. Read it again and retry.",
  body_too_large: "The body is larger than allowed.",
  unsupported_media_type: "Send the body as JSON.",
  invalid_body: "Some fields are missing or have the wrong form.",
  time_out_of_range: "The time lies too far in the past or in the future.",
  command_mismatch: "This command id was already used for another command.",
  rate_limited: "Too many requests. Wait and try again.",
  internal_error: "Something went wrong here. Nothing was accepted.",
  consent_unavailable: "Consent cannot be checked right now. Try again shortly.",
  ledger_unavailable: "The decision cannot be recorded right now. Try again shortly.",
  spool_full: "Reports cannot be taken right now. Try again later.",
  shutting_down: "The service is restarting. Try again shortly.",
  upstream_unavailable: "The service is not reachable right now. Try again shortly.",
};

/** A refusal with a stable code. Thrown inside routes, answered as RFC 9457 problem details. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly code: ProblemCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ProblemCode,
    details: { errors?: readonly FieldError[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(code, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.errors = details.errors;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** The body of a refusal (RFC 9457 §3). */
export function problemBody(
  code: ProblemCode,
  requestId: string,
  errors?: readonly FieldError[],
): Problem {
  return {
    type: `urn:pro-talent:problem:${code}`,
    title: titles[code],
    status: problemStatus[code],
    code,
    requestId,
    ...(errors === undefined ? {} : { errors: [...errors] }),
  };
}
