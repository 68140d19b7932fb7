import { randomUUID } from "node:crypto";

import { parseBody } from "@pro-talent/platform/http/parse-body";
import { addPlainForms } from "@pro-talent/platform/http/plain-forms";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import type { LinkFile } from "@pro-talent/schemas/links/events";
import { reportReasons } from "@pro-talent/schemas/links/report-reasons";
import { Viewing, type ViewingTicket } from "@pro-talent/schemas/links/viewing";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { z } from "zod";

import { trackingSignal } from "./consent/tracking-signal.ts";
import {
  answerCv,
  answerPicture,
  type HourlyLimits,
  placeOf,
  refuseOtherSites,
  takeMessage,
  unavailable,
} from "./links/beside-portfolio.ts";
import { answerDocument } from "./links/link-document.ts";
import { type PagePlace, reportedPage, reportPage, unavailablePage } from "./links/link-pages.ts";
import { linkedPortfolioPage, pageIn, setPortfolioHeaders } from "./links/portfolio-document.ts";
import type { Portfolio, Portfolios } from "./links/portfolios.ts";
import type { Links, ResolvedLink } from "./links/resolve-links.ts";
import { docxPage, notice, pdfPage, type Viewed } from "./links/viewing-pages.ts";
import { redirectMs, ticketMs, type ViewingTickets } from "./links/viewing-tickets.ts";
import type { Spool } from "./spool/spool.ts";

export type ViewParts = {
  readonly clock: Clock;
  readonly links: Links;
  readonly portfolios: Portfolios;
  readonly tickets: ViewingTickets;
  readonly hourly: HourlyLimits;
  readonly append: Spool["append"];
  /** Of the site, and of the pages behind links, which is another host in production. */
  readonly publicOrigin: string;
  readonly contentOrigin: string;
  /** Pages that one address may open in a minute. 0 for no limit. */
  readonly opensPerMinute: number;
  readonly log: Logger;
};

const Params = z.object({ ticket: z.string() }).transform(({ ticket }) => ticket);
const ReportForm = z.object({ reason: z.enum(reportReasons) });

/** A page has its file, pictures and language switch beside it, and reports four times in a minute. */
const readsPerPage = 20;
const reportsPerPage = 6;

/**
 * Pages behind links, on an origin of their own, at `/v/:ticket` after an open. The ticket is all that they
 * know of their reader.
 */
export async function addLinkViews(app: FastifyInstance, parts: ViewParts): Promise<void> {
  const { opensPerMinute } = parts;
  await limitRate(app, {
    reads: opensPerMinute * readsPerPage,
    writes: opensPerMinute * reportsPerPage,
  });
  addPlainForms(app);
  addViewing(app, parts);
  addFile(app, parts);
  addViewingReports(app, parts);
  addReportForm(app, parts);
  addPortfolioFiles(app, parts);
}

type ActiveLink = Extract<ResolvedLink, { status: "active" }>;

/** An open whose link still leads to where it led. */
type Opened = { readonly ticket: ViewingTicket; readonly link: ActiveLink; readonly path: string };

/** @returns undefined for a ticket that was not issued, or whose link ended or asks for a password since */
async function openedBy(parts: ViewParts, request: FastifyRequest): Promise<Opened | undefined> {
  const sealed = Params.parse(request.params);
  const ticket = parts.tickets.read(sealed, parts.clock());
  // A portfolio at its own address was opened without a link.
  if (ticket === undefined || ticket.code === "") return undefined;
  const link = await parts.links.resolve(ticket.code).catch(unavailable);
  if (link.status !== "active" || link.linkId !== ticket.linkId) return undefined;
  if (link.target !== ticket.leadsTo || (link.locked && !ticket.unlocked)) return undefined;
  return { ticket, link, path: `/v/${sealed}` };
}

function answerEnded(request: FastifyRequest, reply: FastifyReply, parts: ViewParts): FastifyReply {
  return answerDocument(reply, 404, unavailablePage(placeOf(parts, request)));
}

const seen = "seen=1";

/**
 * The page of an open. It can be reloaded for a day in the browser that followed the link; its address
 * passed on to someone else leads to the link itself, so that this is an open of its own.
 */
function addViewing(app: FastifyInstance, parts: ViewParts): void {
  app.get("/v/:ticket", async (request, reply) => {
    const opened = await openedBy(parts, request);
    if (opened === undefined) return answerEnded(request, reply, parts);
    const { ticket, path } = opened;
    const ageMs = parts.clock() - Date.parse(ticket.occurredAt);
    const wasSeen = request.headers.cookie?.split(/;\s*/u).includes(seen) ?? false;
    if (!wasSeen && ageMs > redirectMs)
      return reply.redirect(`${parts.publicOrigin}/l/${ticket.code}`, 302);
    const place = placeOf(parts, request);
    const answer =
      opened.link.file === null
        ? await portfolioAnswer(parts, opened, place)
        : await fileAnswer(parts, { ...opened, file: opened.link.file }, place);
    if (answer === undefined) return answerEnded(request, reply, parts);
    const secure = parts.contentOrigin.startsWith("https:") ? "; Secure" : "";
    const seconds = Math.ceil((ticketMs - ageMs) / 1000);
    const cookie = `${seen}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
    return answer(reply.header("set-cookie", cookie));
  });
}

type Answer = (reply: FastifyReply) => FastifyReply;

async function portfolioAnswer(
  parts: ViewParts,
  opened: Opened,
  place: PagePlace,
): Promise<Answer | undefined> {
  const portfolio = await portfolioOf(parts, opened);
  const page = portfolio && pageIn(portfolio, place.language);
  if (page === undefined) return undefined;
  const { path } = opened;
  const html = linkedPortfolioPage(page, path, notice({ ...place, language: page.language, path }));
  return (reply) => setPortfolioHeaders(reply, page).header("x-robots-tag", "noindex").send(html);
}

/** What a link to a portfolio opens: the link has a password of its own, and needs none of the page. */
const portfolioOf = (
  { portfolios }: ViewParts,
  { link: { accountId, file } }: Opened,
): Promise<Portfolio | undefined> =>
  file === null ? portfolios.find({ accountId }).catch(unavailable) : Promise.resolve(undefined);

async function fileAnswer(
  { portfolios, log }: ViewParts,
  { link, path, file }: Opened & { readonly file: NonNullable<ActiveLink["file"]> },
  place: PagePlace,
): Promise<Answer> {
  // The file is shown without the name of its owner rather than not at all.
  const found = await portfolios.find({ accountId: link.accountId }).catch((error: unknown) => {
    log.warn({ err: error }, "the page of a link's owner could not be read");
    return undefined;
  });
  const viewed: Viewed = { ...place, path, owner: found?.owner };
  const document = file.kind === "pdf" ? pdfPage(viewed, file) : docxPage(viewed, file);
  return (reply) => answerDocument(reply, 200, document);
}

const fileTypes: Readonly<Record<LinkFile["kind"], string>> = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
};

/** The file: `/file` for the page that draws it, `/save` for its reader. No browser shows or runs it itself. */
function addFile(app: FastifyInstance, parts: ViewParts): void {
  const send = async ({ link }: Opened, reply: FastifyReply) => {
    if (link.file === null) throw new ProblemError("not_found");
    const { name, kind } = link.file;
    const content = await parts.links.file(link.linkId).catch(unavailable);
    return reply
      .type(fileTypes[kind])
      .header("content-disposition", `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
      .header("content-security-policy", "sandbox; default-src 'none'")
      .header("cross-origin-resource-policy", "same-origin")
      .header("referrer-policy", "no-referrer")
      .header("x-robots-tag", "noindex")
      .send(content);
  };
  app.get("/v/:ticket/file", async (request, reply) => {
    const opened = await openedBy(parts, request);
    return opened === undefined ? answerEnded(request, reply, parts) : await send(opened, reply);
  });
  app.get("/v/:ticket/save", { exposeHeadRoute: false }, async (request, reply) => {
    const opened = await openedBy(parts, request);
    if (opened === undefined) return answerEnded(request, reply, parts);
    const saved = { seconds: 0, pages: 0, pagesTotal: 0, downloaded: true };
    await appendReport(parts, opened.ticket, saved);
    return await send(opened, reply);
  });
}

/** Four in a minute for some hours; what was seen longer is not counted. */
const reportsMax = 1_000;
const ticketsMax = 50_000;

/** `POST /v/:ticket`: what was seen, on disk before it is answered. */
function addViewingReports(app: FastifyInstance, parts: ViewParts): void {
  const reports = new LRUCache<string, number>({ max: ticketsMax, ttl: ticketMs });
  app.post("/v/:ticket", async (request, reply) => {
    const ticket = parts.tickets.read(Params.parse(request.params), parts.clock());
    if (ticket === undefined) throw new ProblemError("not_found");
    const viewing = parseBody(Viewing, request.body);
    if (await isRestricted(parts, ticket)) return reply.code(204).send();
    const count = reports.get(ticket.eventId) ?? 0;
    if (count >= reportsMax) throw new ProblemError("rate_limited", { retryAfterSeconds: 3600 });
    reports.set(ticket.eventId, count + 1);
    // A reader who objects only confirms the open: neither time nor pages.
    const objects = trackingSignal(request.headers) !== undefined;
    await appendReport(parts, ticket, objects ? { ...viewing, seconds: 0, pages: 0 } : viewing);
    return reply.code(204).send();
  });
}

/** Nothing is recorded any more for a link, or a portfolio, whose owner's data is kept and not used. */
async function isRestricted(
  { links, portfolios }: ViewParts,
  { code, accountId }: ViewingTicket,
): Promise<boolean> {
  // A report is never lost because another service does not answer.
  if (code === "") return (await portfolios.find({ accountId }).catch(() => null)) === undefined;
  const link = await links.resolve(code).catch(() => undefined);
  return link?.status === "restricted";
}

/** Resolves once the report is on disk. No page was in use for longer than since it was opened. */
async function appendReport(
  { append, clock }: ViewParts,
  { eventId, linkId, accountId, occurredAt }: ViewingTicket,
  { seconds, pages, pagesTotal, downloaded }: Viewing,
): Promise<void> {
  const nowMs = clock();
  const secondsMax = Math.max(0, Math.ceil((nowMs - Date.parse(occurredAt)) / 1000));
  const row = {
    report_id: randomUUID(),
    event_id: eventId,
    link_id: linkId,
    account_id: accountId,
    opened_at: occurredAt,
    reported_at: instantFromMs(nowMs),
    seconds: Math.min(seconds, secondsMax),
    pages: Math.min(pages, pagesTotal),
    pages_total: pagesTotal,
    downloaded,
  };
  await append([{ kind: "viewing", row }]);
}

/** `/v/:ticket/report`: reports the link, also without scripts. */
function addReportForm(app: FastifyInstance, parts: ViewParts): void {
  app.get("/v/:ticket/report", async (request, reply) => {
    const opened = await openedBy(parts, request);
    if (opened === undefined) return answerEnded(request, reply, parts);
    return answerDocument(reply, 200, reportPage(placeOf(parts, request), opened.path, false));
  });
  app.post("/v/:ticket/report", async (request, reply) => {
    const opened = await openedBy(parts, request);
    if (opened === undefined) return answerEnded(request, reply, parts);
    const { path, link } = opened;
    const place = placeOf(parts, request);
    const sent = ReportForm.safeParse(request.body);
    if (!sent.success) return answerDocument(reply, 422, reportPage(place, path, true));
    await parts.links.report(link.linkId, sent.data.reason).catch(unavailable);
    return answerDocument(reply, 200, reportedPage(place, path));
  });
}

/** What a portfolio has beside it, for the reader of a link to it. */
function addPortfolioFiles(app: FastifyInstance, parts: ViewParts): void {
  const { portfolios } = parts;
  const find = async (request: FastifyRequest) => {
    const opened = await openedBy(parts, request);
    const portfolio = opened && (await portfolioOf(parts, opened));
    return opened && portfolio && { portfolio, path: opened.path };
  };
  app.get("/v/:ticket/pictures/:file", async (request, reply) => {
    const found = await find(request);
    return answerPicture(portfolios, found?.portfolio, request, reply);
  });
  app.get("/v/:ticket/cv/:language", async (request, reply) => {
    const found = await find(request);
    return answerCv(portfolios, found?.portfolio, request, reply);
  });
  app.post("/v/:ticket/contact", async (request, reply) => {
    const found = await find(request);
    if (found === undefined) return answerEnded(request, reply, parts);
    refuseOtherSites(request);
    return takeMessage(parts, { ...found, back: found.path }, request, reply);
  });
}
