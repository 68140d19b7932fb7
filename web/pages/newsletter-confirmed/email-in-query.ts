import { looksLikeEmail } from "@pro-talent/schemas/primitives/email-shape";

/** Characters of addresses only, so that the query cannot place other text on the page. */
const plain = /^[\p{Letter}\p{Mark}\p{Number}.!#$%&'*+/=?^_`{|}~@-]+$/u;

/** The address in `?email=…`; undefined if it is not a plain one. */
export function emailInQuery(search: string): string | undefined {
  // Links often carry the plus sign of an address unencoded.
  const email = new URLSearchParams(search.replaceAll("+", "%2B")).get("email")?.trim() ?? "";
  return looksLikeEmail(email) && plain.test(email) ? email : undefined;
}
