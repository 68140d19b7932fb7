import { addPlainForms, requestLanguage } from "@pro-talent/platform/http/plain-forms";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import { AskedCode } from "@pro-talent/schemas/links/calls";
import { linkLimits } from "@pro-talent/schemas/links/limits";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { z } from "zod";

import type { UnderWay } from "./acknowledge-erasures.ts";
import { type AnswerParts, answerLink } from "./answer-link.ts";
import { answerDocument } from "./links/link-document.ts";
import { passwordPage, unavailablePage } from "./links/link-pages.ts";
import type { Links } from "./links/resolve-links.ts";
import { type ActiveLink, type OpenParts, recordOpen } from "./record-open.ts";

export type LinkParts = AnswerParts &
  OpenParts & {
    readonly links: Links;
    readonly underWay: Pick<UnderWay, "track">;
    /** Opens that one address may make in a minute; passwords, a tenth of them. 0 for no limit. */
    readonly opensPerMinute: number;
  };

const Params = z.object({ "*": z.string() }).transform((params) => params["*"]);
const Password = z.object({ password: z.string().min(1).max(linkLimits.passwordCharsMax) });

/** Wrong passwords of one link in an hour, from wherever they come; then it asks no more. */
const wrongMax = 50;
const linksMax = 10_000;

/** The addresses of share links: each open is recorded for good before it is answered. */
export async function addLinkOpens(app: FastifyInstance, parts: LinkParts): Promise<void> {
  const { opensPerMinute } = parts;
  await limitRate(app, { reads: opensPerMinute, writes: Math.ceil(opensPerMinute / 10) });
  addPlainForms(app);
  app.route({
    method: ["GET", "HEAD"],
    url: "/l/*",
    handler: async (request, reply) => {
      const link = await activeLink(parts, request);
      if (link === undefined)
        return answerDocument(reply, 404, unavailablePage(placeOf(parts, request)));
      if (link.locked)
        return answerDocument(reply, 200, passwordPage(placeOf(parts, request), false));
      return await open(parts, link, request, reply);
    },
  });
  const wrong = new LRUCache<string, number>({
    max: linksMax,
    ttl: 60 * 60_000,
    noUpdateTTL: true,
  });
  app.post("/l/*", async (request, reply) => {
    const link = await activeLink(parts, request);
    const sent = Password.safeParse(request.body);
    if (link === undefined)
      return answerDocument(reply, 404, unavailablePage(placeOf(parts, request)));
    const tries = wrong.get(link.linkId) ?? 0;
    if (tries >= wrongMax) throw new ProblemError("rate_limited", { retryAfterSeconds: 600 });
    if (!sent.success || !(await unlocks(parts, link, sent.data.password))) {
      wrong.set(link.linkId, tries + 1);
      return answerDocument(reply, 403, passwordPage(placeOf(parts, request), true));
    }
    return await open(parts, link, request, reply);
  });
}

const placeOf = ({ publicOrigin: origin }: LinkParts, request: FastifyRequest) => ({
  language: requestLanguage(request),
  origin,
});

async function activeLink(
  { links }: LinkParts,
  request: FastifyRequest,
): Promise<ActiveLink | undefined> {
  const code = AskedCode.safeParse(Params.parse(request.params));
  if (!code.success) return undefined;
  const link = await links.resolve(code.data).catch(unavailable);
  return link.status === "active" ? link : undefined;
}

const unlocks = ({ links }: LinkParts, { linkId, locked }: ActiveLink, password: string) =>
  locked ? links.unlock(linkId, password).catch(unavailable) : Promise.resolve(true);

function unavailable(cause: unknown): never {
  throw new ProblemError("upstream_unavailable", { retryAfterSeconds: 1, cause });
}

async function open(
  parts: LinkParts,
  link: ActiveLink,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const row = await parts.underWay.track(recordOpen(parts, link, request));
  return answerLink(parts, { link, code: Params.parse(request.params), row }, request, reply);
}
