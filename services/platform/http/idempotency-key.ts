import { Uuid } from "@pro-talent/schemas/primitives/ids";
import type { FastifyRequest } from "fastify";

import { ProblemError } from "./problem-details.ts";

/**
 * The id that a client gave its command, so that a repetition is answered and not carried out again.
 * @throws ProblemError `bad_request` when there is one that is no UUID
 */
export function idempotencyKey({ headers }: FastifyRequest): string | undefined {
  const header = headers["idempotency-key"];
  if (header === undefined) return undefined;
  const parsed = Uuid.safeParse(header);
  if (!parsed.success) throw new ProblemError("bad_request");
  return parsed.data.toLowerCase();
}
