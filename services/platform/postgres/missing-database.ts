import { OperatorError } from "../runtime/operator-error.ts";
import { isAway } from "./unavailable.ts";

/** Refusals of a database by their SQLSTATE (PostgreSQL documentation, Appendix A). */
const missing: Readonly<Record<string, string>> = {
  "28000": "The database does not know this user",
  "28P01": "The database refuses this password",
  "3D000": "The server has no such database",
  "3F000": "The database has no ledger",
  "42704": "A role of the product does not exist: run infra/postgres/provision.ts first",
  "42P01": "The database has no ledger, or one of another version",
  "42501": "The database does not let this user do that",
  "57P03": "The database is starting up; try again in a moment",
};

/**
 * What is missing, if that is what a command on a database failed with.
 * @param variable with the address of the database
 */
export function missingDatabase(error: unknown, variable: string): OperatorError | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = missing[code] ?? (isAway(error) ? "The database does not answer" : undefined);
  if (reason === undefined) return undefined;
  const advice = `Is the platform running, or ${variable} the right address?`;
  return new OperatorError(`${reason} (${code}). ${advice}`, { cause: error });
}
