import type { Logger } from "@pro-talent/platform/runtime/logger";
import { readerCookie } from "@pro-talent/schemas/analytics/limits";
import type { VisitorId } from "@pro-talent/schemas/primitives/ids";

import type { ConsentGate } from "./consent/consent-gate.ts";
import { type Pseudonymise, type ReaderKeyOf, visitorOfLink } from "./session/identity.ts";

/** The visitor of a link who consented to analytics on the site; undefined without consent now. */
export type FindReader = (
  linkId: string,
  cookies: string | undefined,
) => Promise<VisitorId | undefined>;

const cookiePattern = new RegExp(`(?:^|;\\s*)${readerCookie}=([A-Za-z0-9_.-]{8,128})(?:;|$)`, "u");

/**
 * Who consented is recognised by the cookie of their browser for as long as they consent. An id that
 * the ledger does not know as consenting, made up or withdrawn, recognises no one.
 */
export function readersBy(parts: {
  readonly gate: Pick<ConsentGate, "granted">;
  readonly pseudonymise: Pseudonymise;
  readonly readerKeyOf: ReaderKeyOf;
  readonly log: Logger;
}): FindReader {
  const { gate, pseudonymise, readerKeyOf, log } = parts;
  return async (linkId, cookies) => {
    const anonymousId = cookies === undefined ? undefined : cookiePattern.exec(cookies)?.[1];
    if (anonymousId === undefined) return undefined;
    const visitorId = pseudonymise(anonymousId);
    const consents = await gate.granted(visitorId).catch((error: unknown) => {
      log.warn({ err: error }, "whether a visitor of a link consents could not be asked");
      return false;
    });
    return consents ? visitorOfLink(readerKeyOf(visitorId), linkId) : undefined;
  };
}
