/** The letters of a token; its meaning is known to the ledger alone. */
const shape = /^[A-Za-z0-9_-]{1,200}$/;

/** The token of a mailed link; undefined when the address lost it on the way. */
export function tokenInQuery(search: string): string | undefined {
  const token = new URLSearchParams(search).get("token") ?? "";
  return shape.test(token) ? token : undefined;
}
