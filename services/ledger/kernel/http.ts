import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { PostgresUnavailable } from "@pro-talent/platform/postgres/unavailable";
import type { FastifyRequest } from "fastify";

import type { StoreRefusalCode } from "./commands.ts";
import type { Cause } from "./types.ts";

/** The cause of a command that a request leads to. */
export function requestCause({ id }: FastifyRequest, actor: string): Cause {
  return { actor, causationId: id, correlationId: id };
}

/** For routes: a database that is away is a refusal with the time of the next attempt. */
export function unavailable(error: unknown): never {
  if (error instanceof PostgresUnavailable) {
    throw new ProblemError("ledger_unavailable", { retryAfterSeconds: 1, cause: error });
  }
  throw error;
}

/** The problem of the store's own refusals. */
export function storeProblem(code: StoreRefusalCode): ProblemError {
  return new ProblemError(code === "command_mismatch" ? "command_mismatch" : "version_conflict");
}
