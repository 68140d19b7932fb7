import { looksLikeEmail } from "@pro-talent/schemas/primitives/email-shape";

/** Signs of an address, and nothing that could pass for other words on the page. */
const plain = /^[\p{Letter}\p{Mark}\p{Number}.!#$%&'*+/=?^_`{|}~@-]+$/u;

/** The address in `?email=…`, if it looks like one; anything else is not shown. */
export function emailInQuery(search: string): string | undefined {
  // A plus sign belongs to many addresses; links often carry it as it is.
  const email = new URLSearchParams(search.replaceAll("+", "%2B")).get("email")?.trim() ?? "";
  return looksLikeEmail(email) && plain.test(email) ? email : undefined;
}
