import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { SessionStart } from "@pro-talent/schemas/analytics/wire";

import type { Arrival } from "../../session-facts.ts";
import { storedText } from "../free-text.ts";
import { pagePath } from "../page-path.ts";
import { channelOf } from "./channel.ts";
import { ownDomain, referrerDomain } from "./referrer.ts";

/** The campaign travels inside the session id, whose length is bounded. */
const utmBytesMax = 1_600;

/**
 * How a visitor arrived.
 * @param host the name under which the visitor reached the site
 * @throws ProblemError `invalid_body` when the campaign's five texts together are too long
 */
export function arrivalOf(body: SessionStart, host: string | undefined): Arrival {
  const { utm } = body;
  const campaign = {
    utmSource: storedText(utm?.source),
    utmMedium: storedText(utm?.medium),
    utmCampaign: storedText(utm?.campaign),
    utmTerm: storedText(utm?.term),
    utmContent: storedText(utm?.content),
  };
  if (Buffer.byteLength(Object.values(campaign).join("")) > utmBytesMax) {
    const message = `Longer than ${utmBytesMax} bytes together`;
    throw new ProblemError("invalid_body", { errors: [{ pointer: "/utm", message }] });
  }
  const domain = referrerDomain(body.referrer);
  return {
    entryPage: pagePathOrNone(body.landingPage),
    referrerDomain: domain,
    channel: channelOf({ referrerDomain: domain, ownDomain: ownDomain(host), ...campaign }),
    ...campaign,
  };
}

/** The stored form of a page, or nothing when the client did not name one. */
export function pagePathOrNone(page: string | null | undefined): string {
  return page === null || page === undefined || page === "" ? "" : pagePath(page);
}
