import { randomUUID } from "node:crypto";

import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { type Exclusion, noVisitor, type OpenRow } from "@pro-talent/schemas/links/opens";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyRequest } from "fastify";

import { trackingSignal } from "./consent/tracking-signal.ts";
import type { FindReader } from "./consenting-readers.ts";
import { arrivalOf } from "./ingest/enrich/arrival.ts";
import type { Locate } from "./ingest/enrich/location.ts";
import type { IsCloud } from "./ingest/enrich/networks.ts";
import { openVerdict } from "./ingest/enrich/open-verdict.ts";
import { userAgentFacts } from "./ingest/enrich/user-agent.ts";
import type { IsOwner } from "./links/owners.ts";
import type { ResolvedLink } from "./links/resolve-links.ts";
import type { Claim, LinkVisitors } from "./links/visitors.ts";
import type { Spool } from "./spool/spool.ts";

export type OpenParts = {
  readonly clock: Clock;
  readonly visitors: LinkVisitors;
  readonly findReader: FindReader;
  readonly append: Spool["append"];
  readonly locate: Locate;
  readonly isCloud: IsCloud;
  readonly isOwner: IsOwner;
  /** Of the site: over TLS or, on one machine, without. */
  readonly publicOrigin: string;
  readonly log: Logger;
};

export type ActiveLink = Extract<ResolvedLink, { status: "active" }>;
/** A link, or the own address of a portfolio. */
export type OpenedLink = Pick<ActiveLink, "linkId" | "accountId" | "target">;

const nowhere = { country: "", region: "", city: "" };

/**
 * Records a request for a link or a portfolio: who opened it as far as that is known, or why it is no open by a person.
 * @returns the row, once it is on disk
 * @throws when it could not be stored; then nothing is counted
 */
export async function recordOpen(
  parts: OpenParts,
  link: OpenedLink,
  request: FastifyRequest,
): Promise<OpenRow> {
  const nowMs = parts.clock();
  const { headers } = request;
  const agent = userAgentFacts(headers["user-agent"] ?? "");
  const { exclusion, reasons } = await verdictOf(parts, link, request);
  const isSecret = trackingSignal(headers) !== undefined;
  const visitor =
    exclusion !== "" || isSecret
      ? undefined
      : await parts.visitors.recognise(link.linkId, {
          address: request.ip,
          agent: headers["user-agent"] ?? "",
          languages: headers["accept-language"] ?? "",
          consented: await parts.findReader(link.linkId, headers.cookie),
        });
  const isRepeated = visitor !== undefined && visitor.claim === undefined;
  const { referrerDomain, channel } = arrivalOf({ referrer: headers.referer }, request.hostname);
  const row: OpenRow = {
    event_id: visitor?.claim?.id ?? randomUUID(),
    link_id: link.linkId,
    account_id: link.accountId,
    occurred_at: instantFromMs(nowMs),
    leads_to: link.target,
    exclusion: isRepeated ? "repeated" : exclusion,
    reasons: [...reasons],
    visitor_id: visitor?.visitorId ?? noVisitor,
    browser: agent.browser,
    os: agent.os,
    device_class: agent.deviceClass,
    ...(isSecret ? nowhere : parts.locate(request.ip)),
    referrer_domain: referrerDomain,
    channel,
  };
  await storeCounted(parts, row, visitor?.claim);
  return row;
}

type Verdict = { readonly exclusion: Exclusion | ""; readonly reasons: readonly string[] };

/** From the request alone, then from its address, then from its cookie. */
async function verdictOf(
  { isCloud, isOwner, publicOrigin }: OpenParts,
  { accountId }: OpenedLink,
  request: FastifyRequest,
): Promise<Verdict> {
  const { headers, method, ip } = request;
  const agent = userAgentFacts(headers["user-agent"] ?? "");
  const verdict = openVerdict({
    method: method === "POST" ? "GET" : method,
    httpVersion: request.raw.httpVersion,
    headers,
    agent,
    isSecure: publicOrigin.startsWith("https:"),
  });
  if (verdict.exclusion !== "") return verdict;
  if (await isOwner(accountId, headers.cookie))
    return { exclusion: "owner", reasons: ["signed_in"] };
  if (isCloud(ip)) return { exclusion: "network", reasons: ["cloud_address"] };
  return verdict;
}

/** Stores the row, and what makes another request of its visitor a repetition. */
async function storeCounted(
  { append, visitors, log }: OpenParts,
  row: OpenRow,
  claim: Claim | undefined,
): Promise<void> {
  try {
    await append([{ kind: "open", row }]);
  } catch (error) {
    if (claim !== undefined)
      await visitors.release(claim).catch((cause: unknown) => {
        log.warn({ err: cause }, "the claim of an open that was not stored could not be released");
      });
    throw error;
  }
  if (claim === undefined) return;
  // Not waited for: the claim holds meanwhile, and a process that ends here finds the open in its spool.
  visitors.confirm(claim).catch((error: unknown) => {
    // The claim holds for some seconds; after them its visitor may count again.
    log.warn({ err: error }, "that an open was counted could not be recorded");
  });
}
