import { randomUUID } from "node:crypto";

import { requestLanguage } from "@pro-talent/platform/http/plain-forms";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { ReaderMessageBody } from "@pro-talent/schemas/portfolios/calls";
import { Uuid } from "@pro-talent/schemas/primitives/ids";
import { localeOfTag } from "@pro-talent/schemas/primitives/language-tag";
import { Locale } from "@pro-talent/schemas/primitives/locale";
import type { FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { z } from "zod";

import { answerDocument } from "./link-document.ts";
import { messagePage, type PagePlace, sentPage } from "./link-pages.ts";
import type { Portfolio, Portfolios } from "./portfolios.ts";

const Query = z.object({ lang: z.string().optional().catch(undefined) });
const MessageForm = ReaderMessageBody.extend({ website: z.string().max(500).default("") });

/** Messages to one owner, and passwords tried at one portfolio, in an hour, from wherever they come. */
const hourMs = 60 * 60_000;
const messagesMax = 20;
const triesMax = 50;
const countedMax = 10_000;
/** Limits of what is written to one account, or tried at its portfolio; more are refused until the hour is over. */
export type HourlyLimits = ReturnType<typeof hourlyLimits>;

export function hourlyLimits() {
  const options = { max: countedMax, ttl: hourMs, noUpdateTTL: true };
  const [messages, tries] = [
    new LRUCache<string, number>(options),
    new LRUCache<string, number>(options),
  ];
  const add = (counts: LRUCache<string, number>, max: number) => (accountId: string) => {
    const count = counts.get(accountId) ?? 0;
    if (count >= max) throw new ProblemError("rate_limited", { retryAfterSeconds: 600 });
    counts.set(accountId, count + 1);
  };
  return { message: add(messages, messagesMax), password: add(tries, triesMax) };
}

/** Browsers send plain forms of other sites without asking first. */
export function refuseOtherSites({ method, headers, host }: FastifyRequest): void {
  if (method !== "POST") return;
  const { origin, "sec-fetch-site": site } = headers;
  // Of a page that names no referrer the origin is `null`, of other sites too.
  const isOwn =
    origin === undefined ||
    [`https://${host}`, `http://${host}`].includes(origin) ||
    (origin === "null" && site === "same-origin");
  if (!isOwn || site === "cross-site") throw new ProblemError("forbidden");
}

/** For routes: a service that does not answer is asked again later. */
export function unavailable(cause: unknown): never {
  throw new ProblemError("upstream_unavailable", { retryAfterSeconds: 1, cause });
}

/** The language that the address names, or the reader prefers. */
export const languageOf = (request: FastifyRequest): Locale =>
  requestLanguage(request, localeOfTag(Query.parse(request.query).lang));

/** Where the pages around a portfolio are shown. */
export const placeOf = (
  { publicOrigin: origin }: { readonly publicOrigin: string },
  request: FastifyRequest,
): PagePlace => ({ language: languageOf(request), origin });

const File = z.object({ file: Uuid });

/** A picture of a portfolio, which no browser takes for anything else. */
export async function answerPicture(
  portfolios: Portfolios,
  portfolio: Portfolio | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const asked = File.safeParse(request.params);
  if (portfolio === undefined || !asked.success) throw new ProblemError("not_found");
  const { accountId } = portfolio.owner;
  const picture = await portfolios.picture(accountId, asked.data.file).catch(unavailable);
  if (picture === undefined) throw new ProblemError("not_found");
  return reply
    .type("image/webp")
    .header("cache-control", "private, max-age=600")
    .header("content-security-policy", "sandbox; default-src 'none'")
    .header("cross-origin-resource-policy", "same-origin")
    .header("x-robots-tag", "noindex")
    .send(picture);
}

const CvParams = z.object({ language: Locale });

/** The CV that the owner offers, to be saved. */
export async function answerCv(
  portfolios: Portfolios,
  portfolio: Portfolio | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const asked = CvParams.safeParse(request.params);
  if (portfolio === undefined || !asked.success) throw new ProblemError("not_found");
  const { accountId, fullName } = portfolio.owner;
  const cv = await portfolios.cv(accountId, asked.data.language).catch(unavailable);
  if (cv === undefined) throw new ProblemError("not_found");
  const name = encodeURIComponent(`${fullName.toWellFormed()} CV.pdf`);
  return reply
    .type("application/pdf")
    .header("content-disposition", `attachment; filename*=UTF-8''${name}`)
    .header("content-security-policy", "sandbox; default-src 'none'")
    .header("x-robots-tag", "noindex")
    .send(cv);
}

type MessageParts = {
  readonly portfolios: Portfolios;
  readonly hourly: HourlyLimits;
  readonly publicOrigin: string;
};

/** Passes a message on to the owner. Programs that fill in the hidden field get the usual answer. */
export async function takeMessage(
  parts: MessageParts,
  { portfolio, back }: { readonly portfolio: Portfolio; readonly back: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!portfolio.contactForm) throw new ProblemError("not_found");
  const pagePlace = placeOf(parts, request);
  const sent = MessageForm.safeParse(request.body);
  if (!sent.success) return answerDocument(reply, 422, messagePage(pagePlace, `${back}#write`));
  const { website, ...message } = sent.data;
  if (website.trim() === "") {
    const { accountId } = portfolio.owner;
    parts.hourly.message(accountId);
    await parts.portfolios
      .send(accountId, { ...message, messageId: randomUUID() })
      .catch(unavailable);
  }
  return answerDocument(reply, 200, sentPage(pagePlace, back));
}
