import type { z } from "zod";

import { ProblemError } from "./problem-details.ts";

/** JSON pointer (RFC 6901) of a path inside a body. */
function pointer(path: readonly PropertyKey[]): string {
  return path
    .map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

/**
 * Parses a request's body by its contract.
 * @throws ProblemError `invalid_body` with one entry per wrong field; values are never repeated.
 */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.infer<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const errors = result.error.issues.map((issue) => ({
    pointer: pointer(issue.path),
    message: issue.message,
  }));
  throw new ProblemError("invalid_body", { errors: errors.slice(0, 20) });
}
