import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { PostgresUnavailable } from "@pro-talent/platform/postgres/unavailable";

/** For routes: a database that is away is a refusal that says when to come again. */
export function unavailable(error: unknown): never {
  if (error instanceof PostgresUnavailable) {
    throw new ProblemError("ledger_unavailable", { retryAfterSeconds: 1, cause: error });
  }
  throw error;
}
