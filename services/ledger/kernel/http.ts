import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { KeysUnavailable } from "@pro-talent/platform/keys/key-store";
import { PostgresUnavailable } from "@pro-talent/platform/postgres/unavailable";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyRequest } from "fastify";

import type { CommandContext, StoreRefusalCode } from "./commands.ts";
import type { LedgerContext } from "./module.ts";

/** When and why a command is issued that a request leads to. */
export function requestContext(
  { clock }: Pick<LedgerContext, "clock">,
  { id }: FastifyRequest,
  actor: string,
): CommandContext {
  const cause = { actor, causationId: id, correlationId: id };
  return { now: instantFromMs(clock()), cause };
}

/** For routes: a database or keys that are away are a refusal with the time of the next attempt. */
export function unavailable(error: unknown): never {
  if (error instanceof PostgresUnavailable || error instanceof KeysUnavailable) {
    throw new ProblemError("ledger_unavailable", { retryAfterSeconds: 1, cause: error });
  }
  throw error;
}

/** The problem of the store's own refusals. */
export function storeProblem(code: StoreRefusalCode): ProblemError {
  return new ProblemError(code === "command_mismatch" ? "command_mismatch" : "version_conflict");
}
