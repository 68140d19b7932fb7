import { z } from "zod";

/** A kind of refusal: a stable code, its HTTP status and an English title for developers. */
export type ProblemDefinition<Code extends string = string> = {
  readonly code: Code;
  readonly status: number;
  readonly title: string;
};

/**
 * The problems of one domain, by code: `defineProblems({ order_unknown: [404, "No such order."] })`.
 * Texts for visitors are translations, chosen by code.
 */
export function defineProblems<const Table extends Record<string, readonly [number, string]>>(
  table: Table,
): { readonly [Code in keyof Table & string]: ProblemDefinition<Code> } {
  const problems = Object.entries(table).map(([code, [status, title]]) => [
    code,
    { code, status, title },
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries loses the keys that the table's type has
  return Object.fromEntries(problems) as {
    readonly [Code in keyof Table & string]: ProblemDefinition<Code>;
  };
}

/** Problems that any call may answer. Those of a domain are defined in its own folder. */
export const platformProblems = defineProblems({
  malformed_json: [400, "The body is not valid JSON."],
  invalid_encoding: [400, "The body is not valid UTF-8."],
  bad_request: [400, "The request could not be understood."],
  unauthorized: [401, "Sign in to do this."],
  forbidden: [403, "This is not allowed."],
  factor_required: [403, "This account needs a second factor first."],
  scope_missing: [403, "The access token does not have the scope of this call."],
  step_up_required: [403, "Confirm that it is you, then try again."],
  not_found: [404, "There is nothing at this address."],
  method_not_allowed: [405, "This method is not supported here."],
  version_conflict: [409, "Another request changed this first. Read it again and retry."],
  body_too_large: [413, "The body is larger than allowed."],
  unsupported_media_type: [415, "Send the body as JSON."],
  invalid_body: [422, "Some fields are missing or have the wrong form."],
  command_mismatch: [422, "This command id was already used for another command."],
  rate_limited: [429, "Too many requests. Wait and try again."],
  internal_error: [500, "Something went wrong here. Nothing was accepted."],
  ledger_unavailable: [503, "The decision cannot be recorded right now. Try again shortly."],
  shutting_down: [503, "The service is restarting. Try again shortly."],
  upstream_unavailable: [503, "The service is not reachable right now. Try again shortly."],
});

/** A code of {@link platformProblems}. */
export type PlatformProblemCode = keyof typeof platformProblems;

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
  /** A text for the visitor, in the language of the request; of calls that forms use. */
  error: z.string().optional(),
});
export type Problem = z.infer<typeof Problem>;
