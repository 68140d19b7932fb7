import { z } from "zod";

/** Every error code that the platform answers, with its HTTP status. */
export const problemStatus = {
  malformed_json: 400,
  invalid_encoding: 400,
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  unknown_session: 404,
  link_unknown: 404,
  method_not_allowed: 405,
  version_conflict: 409,
  already_subscribed: 409,
  link_used: 409,
  link_expired: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid_body: 422,
  time_out_of_range: 422,
  command_mismatch: 422,
  rate_limited: 429,
  internal_error: 500,
  consent_unavailable: 503,
  ledger_unavailable: 503,
  spool_full: 503,
  shutting_down: 503,
  upstream_unavailable: 503,
} as const satisfies Record<string, number>;

export type ProblemCode = keyof typeof problemStatus;

/** One reason why a body was refused: where (JSON pointer) and what was expected. */
export const FieldError = z.object({ pointer: z.string(), message: z.string() });
export type FieldError = z.infer<typeof FieldError>;

/** RFC 9457 problem details, with the product's stable `code` and the request id for support. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.string(),
  requestId: z.string(),
  errors: z.array(FieldError).optional(),
});
export type Problem = z.infer<typeof Problem>;
