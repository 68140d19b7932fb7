/** The alphabet of tokens; only the ledger knows their meaning. */
const shape = /^[A-Za-z0-9_-]{1,200}$/;

/** The token of a mailed link; undefined if it is missing or malformed. */
export function tokenInQuery(search: string): string | undefined {
  const token = new URLSearchParams(search).get("token") ?? "";
  return shape.test(token) ? token : undefined;
}
