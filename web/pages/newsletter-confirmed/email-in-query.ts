import { looksLikeEmail } from "@pro-talent/schemas/primitives/email-shape";

/**
 * The address in `?email=…`; undefined if it is not one. An address has neither space nor
 * markup, so that the query cannot place other text on the page.
 */
export function emailInQuery(search: string): string | undefined {
  // Links often carry the plus sign of an address unencoded.
  const email = new URLSearchParams(search.replaceAll("+", "%2B")).get("email")?.trim() ?? "";
  return looksLikeEmail(email) ? email : undefined;
}
