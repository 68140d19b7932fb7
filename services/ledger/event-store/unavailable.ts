/**
 * SQLSTATE classes and codes after which a later attempt may succeed: connection exceptions (08),
 * insufficient resources (53), operator intervention (57), lock not available in time (55P03).
 * Source: PostgreSQL documentation, Appendix A.
 */
const transientSqlState = /^(?:08|53|57)...$|^55P03$/;

/** Codes of the driver and of the operating system for a database that is not there. */
const connectionCodes = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
  "ETIMEDOUT",
]);

/**
 * Whether an error says that the database cannot be reached now. The command may or may not have
 * been carried out; repeated under the same id, it is carried out once.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  const code = String(error.code);
  return connectionCodes.has(code) || transientSqlState.test(code);
}
