import pg from "pg";

/**
 * The database could not be reached, or was cut off. Whether the statement was carried out is not
 * known.
 */
export class PostgresUnavailable extends Error {
  override readonly name = "PostgresUnavailable";

  /** SQLSTATE of the refusal, or the system's code for what happened to the connection. */
  get code(): string {
    const { cause } = this;
    return cause instanceof Error && "code" in cause ? String(cause.code) : "no_connection";
  }
}

/** Codes of the system for a peer that is out of reach, and of the driver of migrations. */
const away =
  /^(?:ECONN[A-Z]+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT|CONNECTION_[A-Z]+)$/;

/** Whether an error, or what it follows from, only says that a database, or another peer, is out of reach now. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isCode = "code" in error && away.test(String(error.code));
  return error instanceof PostgresUnavailable || isCode || isAway(error.cause);
}

/**
 * SQLSTATE classes and codes after which a later attempt may succeed: connection exceptions (08),
 * insufficient resources (53), operator intervention (57), lock not available in time (55P03).
 * Source: PostgreSQL documentation, Appendix A.
 */
const transient = /^(?:08|53|57)...$|^55P03$/;

/**
 * Sorts what a statement failed with: the server's refusals stay what they are, unless they only
 * say "not now"; everything else but a programming error is the connection.
 */
export function unavailableOr(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    return transient.test(error.code ?? "")
      ? new PostgresUnavailable(error.code ?? "unavailable", { cause: error })
      : error;
  }
  if (error instanceof TypeError || error instanceof RangeError) return error;
  return new PostgresUnavailable("no connection", { cause: error });
}
