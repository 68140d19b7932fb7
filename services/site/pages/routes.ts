import { negotiateLanguage } from "@pro-talent/platform/http/negotiate-language";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";

import { chooseEncoding, holdsVersion } from "../negotiate-encoding.ts";
import type { Resource, Site } from "./load-site.ts";

const Query = z.object({ lang: z.string().optional().catch(undefined) });
const daySeconds = 24 * 60 * 60;
const notFoundPath = "/404";

function languageOf(request: FastifyRequest): Locale {
  return negotiateLanguage({
    query: Query.parse(request.query).lang,
    cookies: request.headers.cookie,
    accepted: request.headers["accept-language"],
  });
}

function send(request: FastifyRequest, reply: FastifyReply, resource: Resource): FastifyReply {
  const encoding = chooseEncoding(request.headers["accept-encoding"], resource.variants);
  const variant = resource.variants.get(encoding);
  if (variant === undefined) throw new Error(`no variant: ${encoding}`);
  reply.header("etag", variant.etag);
  const unchanged = holdsVersion(request.headers["if-none-match"], variant.etag);
  if (unchanged && reply.statusCode === 200) return reply.code(304).send();
  if (encoding !== "identity") reply.header("content-encoding", encoding);
  return reply.type(resource.type).send(variant.body);
}

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: { resource: Resource; language: Locale },
): FastifyReply {
  // Both languages have one address: a shared cache must not mix them up.
  reply
    .header("content-language", page.language)
    .header("vary", "Accept-Language, Cookie, Accept-Encoding")
    .header("cache-control", "private, no-cache");
  return send(request, reply, page.resource);
}

/**
 * `GET /*`: the page of the path in the visitor's language; a file beside the pages; or the page for
 * unknown paths with status 404. A trailing slash redirects to the page without it.
 */
export function addPageRoutes(app: FastifyInstance, site: Site): void {
  app.get("/*", async (request, reply) => {
    const [path = "/", query] = request.url.split("?", 2);
    const file = site.files.get(path);
    if (file !== undefined) {
      reply
        .header("vary", "Accept-Encoding")
        .header("cache-control", `public, max-age=${daySeconds}`);
      return send(request, reply, file);
    }
    if (path.startsWith("/api/")) throw new ProblemError("not_found");
    const language = languageOf(request);
    const pages = site.pages.get(language);
    const slim = path.replace(/\/+$/, "");
    if (slim !== path && slim !== "" && pages?.has(slim)) {
      return reply.redirect(query === undefined ? slim : `${slim}?${query}`, 308);
    }
    const page = path === notFoundPath ? undefined : pages?.get(path);
    if (page !== undefined) return sendPage(request, reply, { resource: page, language });
    const resource = pages?.get(notFoundPath);
    if (resource === undefined) throw new ProblemError("not_found");
    reply.code(404);
    return sendPage(request, reply, { resource, language });
  });
}
