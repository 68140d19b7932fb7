import { newsletterPages, newsletterPaths } from "@pro-talent/schemas/newsletter/categories";

import { writeToken } from "./token.ts";

/** The addresses that mails carry. */
export type NewsletterLinks = {
  readonly confirm: (subscriberId: string, mail: number) => string;
  /** The page of preferences, on which one can also leave. */
  readonly manage: (subscriberId: string) => string;
  /** Where mail programs post that the reader leaves (RFC 8058). */
  readonly unsubscribe: (subscriberId: string) => string;
};

export function newsletterLinks(options: {
  /** The public address of the site, as in `https://example.com`. */
  origin: string;
  tokenKey: Buffer;
}): NewsletterLinks {
  const { origin, tokenKey } = options;
  const manageToken = (subscriberId: string): string =>
    writeToken(tokenKey, { purpose: "manage", subscriberId, mail: 0 });
  return {
    confirm: (subscriberId, mail) =>
      withToken(
        origin + newsletterPages.confirm,
        writeToken(tokenKey, { purpose: "confirm", subscriberId, mail }),
      ),
    manage: (subscriberId) =>
      withToken(origin + newsletterPages.preferences, manageToken(subscriberId)),
    unsubscribe: (subscriberId) =>
      withToken(origin + newsletterPaths.unsubscribe, manageToken(subscriberId)),
  };
}

/** A token is made of letters that need no escaping. */
function withToken(address: string, token: string): string {
  return `${address}?token=${token}`;
}
