import { createHmac } from "node:crypto";

/**
 * The key under which visitors and sessions are named for one analyst: no other analyst, and no store, knows the names
 * that it makes. It never leaves the service but as a parameter of a query.
 * @param secret of the service alone
 */
export const pseudonymKeyOf = (secret: Buffer, analystId: string): string =>
  createHmac("sha256", secret).update(`pseudonyms of ${analystId}`).digest("hex");
