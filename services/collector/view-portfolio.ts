import { addPlainForms } from "@pro-talent/platform/http/plain-forms";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import { reportReasons } from "@pro-talent/schemas/links/report-reasons";
import { portfolioLimits } from "@pro-talent/schemas/studio/limits";
import type { ShownPortfolioPage } from "@pro-talent/schemas/studio/portfolio-calls";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";

import type { UnderWay } from "./acknowledge-erasures.ts";
import {
  answerCv,
  answerPicture,
  type HourlyLimits,
  languageOf,
  placeOf,
  refuseOtherSites,
  takeMessage,
  unavailable,
} from "./links/beside-portfolio.ts";
import { answerDocument } from "./links/link-document.ts";
import { lockedPage, reportedPage, reportPage, unavailablePage } from "./links/link-pages.ts";
import {
  answerPortfolio,
  mayBeListed,
  openedPage,
  pageIn,
  portfolioPage,
  type PortfolioPlace,
  portfolioSitemap,
} from "./links/portfolio-document.ts";
import type { Portfolio, Portfolios } from "./links/portfolios.ts";
import { unlockedMs, type UnlockedPortfolios } from "./links/unlocked-portfolios.ts";
import { redirectMs, type ViewingTickets } from "./links/viewing-tickets.ts";
import { type OpenParts, recordOpen } from "./record-open.ts";

export type PortfolioParts = OpenParts & {
  readonly portfolios: Portfolios;
  readonly unlocked: UnlockedPortfolios;
  readonly tickets: ViewingTickets;
  readonly underWay: Pick<UnderWay, "track">;
  /** Of the pages behind links: in production another host than the site's. */
  readonly contentOrigin: string;
  /** Whether a host is not the one of these pages: the site's, in production. */
  readonly isElsewhere: (host: string) => boolean;
  readonly hourly: HourlyLimits;
  /** Hosts of their own, each with the handle whose portfolio they show. */
  readonly domains: ReadonlyMap<string, string>;
  /** Pages that one address may open in a minute. 0 for no limit. */
  readonly opensPerMinute: number;
};

export const portfolioPath = "/p/:handle";
const Handle = z.object({ handle: z.string().max(100) });
const Password = z.object({ password: z.string().min(1).max(portfolioLimits.passwordCharsMax) });
const ReportForm = z.object({ reason: z.enum(reportReasons) });

/** A page has its pictures, its CV and its language switch beside it. */
const readsPerPage = 20;

/** A portfolio that a request asks for, and where it is. */
type Asked = { readonly portfolio: Portfolio; readonly place: PortfolioPlace };

/**
 * Portfolios at `/p/:handle`, and at hosts of their own: the page, its pictures and its CV, its password, reports,
 * and messages to its owner. Nothing of them needs a script; the one that they have reports what was seen.
 */
export async function addPortfolios(app: FastifyInstance, parts: PortfolioParts): Promise<void> {
  const { opensPerMinute, domains } = parts;
  addPlainForms(app);
  app.addHook("onRequest", async (request) => refuseOtherSites(request));
  await app.register(async (scope) => {
    await limitRate(scope, {
      reads: opensPerMinute * readsPerPage,
      writes: Math.ceil(opensPerMinute / 10),
    });
    addRoutes(scope, parts, portfolioPath);
    addSitemap(scope, parts);
    for (const host of domains.keys()) addRoutes(scope, parts, "", host);
  });
}

/** `/p/sitemap.xml`: portfolios whose owners want search engines to list them; no handle has a dot. */
function addSitemap(app: FastifyInstance, parts: PortfolioParts): void {
  app.get("/p/sitemap.xml", async (_request, reply) => {
    const listed = await parts.portfolios.listed().catch(unavailable);
    return reply
      .type("application/xml; charset=utf-8")
      .header("cache-control", "public, max-age=3600")
      .send(portfolioSitemap(listed.filter(mayBeListed), (handle) => addressOf(parts, handle)));
  });
}

/** @param host of its own, where the page is at `/` */
function addRoutes(
  app: FastifyInstance,
  parts: PortfolioParts,
  prefix: string,
  host?: string,
): void {
  const options = host === undefined ? {} : { constraints: { host } };
  const answer = pageAnswers();
  const at = (path: string) => (prefix + path === "" ? "/" : prefix + path);
  app.get(at(""), options, async (request, reply) => {
    const asked = await askedFor(parts, request, host);
    if (parts.isElsewhere(request.host)) return leadOn(parts, asked, request, reply);
    if (asked === undefined) return answerEnded(parts, request, reply);
    if (!isOpen(parts, asked, request))
      return answerDocument(reply, 200, lockedPage(placeOf(parts, request), false));
    const ticket =
      openedBefore(parts, asked, request) ??
      (await parts.underWay.track(recorded(parts, asked, request)));
    return answer(asked, `/v/${ticket}`, request, reply);
  });
  app.post(at(""), options, async (request, reply) => {
    if (parts.isElsewhere(request.host)) return leadOn(parts, undefined, request, reply);
    const asked = await askedFor(parts, request, host);
    if (asked === undefined) return answerEnded(parts, request, reply);
    return unlock(parts, asked, request, reply);
  });
  app.get(at("/pictures/:file"), options, async (request, reply) => {
    const asked = await openPortfolio(parts, request, host);
    return answerPicture(parts.portfolios, asked?.portfolio, request, reply);
  });
  app.get(at("/cv/:language"), options, async (request, reply) => {
    const asked = await openPortfolio(parts, request, host);
    return answerCv(parts.portfolios, asked?.portfolio, request, reply);
  });
  app.post(at("/contact"), options, async (request, reply) => {
    const asked = await openPortfolio(parts, request, host);
    if (asked === undefined) return answerEnded(parts, request, reply);
    const { portfolio, place } = asked;
    return takeMessage(parts, { portfolio, back: place.base || "/" }, request, reply);
  });
  app.get(at("/report"), options, async (request, reply) => {
    const asked = await askedFor(parts, request, host);
    if (asked === undefined) return answerEnded(parts, request, reply);
    const { base } = asked.place;
    return answerDocument(reply, 200, reportPage(placeOf(parts, request), base || "/", false));
  });
  app.post(at("/report"), options, async (request, reply) => {
    const asked = await askedFor(parts, request, host);
    if (asked === undefined) return answerEnded(parts, request, reply);
    const place = placeOf(parts, request);
    const back = asked.place.base || "/";
    const sent = ReportForm.safeParse(request.body);
    if (!sent.success) return answerDocument(reply, 422, reportPage(place, back, true));
    const { accountId } = asked.portfolio.owner;
    await parts.portfolios.report(accountId, sent.data.reason).catch(unavailable);
    return answerDocument(reply, 200, reportedPage(place, back));
  });
}

const answerEnded = (parts: PortfolioParts, request: FastifyRequest, reply: FastifyReply) =>
  answerDocument(reply, 404, unavailablePage(placeOf(parts, request)));

async function askedFor(
  parts: PortfolioParts,
  request: FastifyRequest,
  host: string | undefined,
): Promise<Asked | undefined> {
  const { portfolios, domains, publicOrigin: origin } = parts;
  const named =
    host === undefined ? Handle.parse(request.params).handle : (domains.get(host) ?? "");
  const portfolio = await portfolios.find({ handle: named }).catch(unavailable);
  if (portfolio === undefined) return undefined;
  // As its owner chose it, not as it was typed: it is a part of the page.
  const handle = portfolio.owner.handle ?? "";
  const base = host === undefined ? `/p/${handle}` : "";
  return { portfolio, place: { base, address: addressOf(parts, handle), origin } };
}

/** Where search engines are to know a portfolio: at its own host, if it has one. */
function addressOf({ domains, contentOrigin }: PortfolioParts, handle: string): string {
  const [own] = [...domains].find(([, of]) => of === handle) ?? [];
  return own === undefined ? `${contentOrigin}/p/${handle}` : `https://${own}/`;
}

const isOpen = (
  { unlocked, clock }: PortfolioParts,
  { portfolio }: Asked,
  { headers }: FastifyRequest,
): boolean => unlocked.isOpen(portfolio, headers.cookie, clock());

async function openPortfolio(
  parts: PortfolioParts,
  request: FastifyRequest,
  host: string | undefined,
): Promise<Asked | undefined> {
  const asked = await askedFor(parts, request, host);
  return asked !== undefined && isOpen(parts, asked, request) ? asked : undefined;
}

/**
 * From the site to the host of the page. The open is recorded before: only the site knows who is signed in
 * and who consented.
 */
async function leadOn(
  parts: PortfolioParts,
  asked: Asked | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const address = new URL(parts.contentOrigin + request.url);
  if (asked?.portfolio.lock === null)
    address.searchParams.set("open", await parts.underWay.track(recorded(parts, asked, request)));
  return reply.redirect(address.href, request.method === "POST" ? 308 : 302);
}

const Opened = z.object({ open: z.string().optional().catch(undefined) });

/** The ticket of the open that led here; an address that is passed on is an open of its own. */
function openedBefore(
  { tickets, clock }: PortfolioParts,
  { portfolio }: Asked,
  request: FastifyRequest,
): string | undefined {
  const { open = "" } = Opened.parse(request.query);
  const ticket = tickets.read(open, clock());
  if (ticket?.linkId !== portfolio.owner.accountId) return undefined;
  return clock() - Date.parse(ticket.occurredAt) > redirectMs ? undefined : open;
}

/**
 * Records that a portfolio was asked for, by the rules of links: its own address is one more of them.
 * @returns the ticket with which its page reports what was seen
 */
async function recorded(
  parts: PortfolioParts,
  { portfolio }: Asked,
  request: FastifyRequest,
): Promise<string> {
  const { accountId } = portfolio.owner;
  const opened = { linkId: accountId, accountId, target: "profile" } as const;
  const { event_id: eventId, occurred_at: occurredAt } = await recordOpen(parts, opened, request);
  const unlocked = portfolio.lock !== null;
  const { target: leadsTo, ...ids } = opened;
  return parts.tickets.issue({ ...ids, eventId, occurredAt, code: "", leadsTo, unlocked });
}

/** Each page is filled in once for each address; another revision is another object. */
function pageAnswers() {
  const filled = new WeakMap<ShownPortfolioPage, Map<string, string>>();
  return (
    { portfolio, place }: Asked,
    viewing: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply => {
    const page = pageIn(portfolio, languageOf(request));
    if (page === undefined) throw new ProblemError("not_found");
    const atBases = filled.get(page) ?? new Map<string, string>();
    filled.set(page, atBases);
    const name = `${portfolio.revision} ${place.base} ${place.address}`;
    const html = atBases.get(name) ?? portfolioPage(portfolio, page, place);
    atBases.set(name, html);
    return answerPortfolio(reply, { portfolio, page, html: openedPage(html, viewing) });
  };
}

async function unlock(
  parts: PortfolioParts,
  { portfolio, place }: Asked,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { accountId } = portfolio.owner;
  const { base } = place;
  if (portfolio.lock === null) return reply.redirect(base || "/", 303);
  const sent = Password.safeParse(request.body);
  parts.hourly.password(accountId);
  const opens =
    sent.success &&
    (await parts.portfolios.unlock(accountId, sent.data.password).catch(unavailable));
  if (!opens) return answerDocument(reply, 403, lockedPage(placeOf(parts, request), true));
  const secure = parts.contentOrigin.startsWith("https:") ? "; Secure" : "";
  const cookie = `${parts.unlocked.issue(portfolio, parts.clock())}; Path=${base || "/"}; Max-Age=${unlockedMs / 1000}; HttpOnly; SameSite=Lax${secure}`;
  return reply.header("set-cookie", cookie).redirect(base || "/", 303);
}
