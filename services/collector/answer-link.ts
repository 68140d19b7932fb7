import type { OpenRow } from "@pro-talent/schemas/links/opens";
import type { FastifyReply, FastifyRequest } from "fastify";

import type { ResolvedLink } from "./links/resolve-links.ts";
import type { ViewingTickets } from "./links/viewing-tickets.ts";

export type AnswerParts = {
  readonly tickets: ViewingTickets;
  /** Of the pages behind links: in production another host than the site's. */
  readonly contentOrigin: string;
};

/** An open that is on disk. */
export type RecordedOpen = {
  readonly link: Extract<ResolvedLink, { status: "active" }>;
  /** As it was typed. */
  readonly code: string;
  readonly row: Pick<OpenRow, "event_id" | "occurred_at">;
};

/** Leads to where a link leads, once its open was recorded. */
export function answerLink(
  { tickets, contentOrigin }: AnswerParts,
  { link, code, row }: RecordedOpen,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { linkId, accountId, target: leadsTo, locked: unlocked, url } = link;
  reply.header("referrer-policy", "no-referrer").header("x-robots-tag", "noindex");
  const open = { eventId: row.event_id, occurredAt: row.occurred_at };
  const ticket = { ...open, linkId, accountId, code, leadsTo, unlocked };
  // Seen again after a form, it is asked for with GET.
  const status = request.method === "POST" ? 303 : 302;
  return reply.redirect(url ?? `${contentOrigin}/v/${tickets.issue(ticket)}`, status);
}
