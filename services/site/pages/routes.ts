import {
  languageChoiceCookie,
  negotiateLanguage,
} from "@pro-talent/platform/http/negotiate-language";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { localeOfTag } from "@pro-talent/schemas/primitives/language-tag";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { isSignedInPath } from "@pro-talent/schemas/site/signed-in-paths";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";

import { chooseEncoding, holdsVersion } from "../negotiate-encoding.ts";
import type { Resource, Site } from "./load-site.ts";

const Query = z.object({
  lang: z
    .union([z.string(), z.array(z.string()).transform(([first]) => first)])
    .optional()
    .catch(undefined),
});
const daySeconds = 24 * 60 * 60;
const notFoundPath = "/404";
/** The document of the signed-in area, which draws itself in the browser. */
const signedInPath = "/signed-in";
const hiddenPaths: readonly string[] = [notFoundPath, signedInPath];

/** The language to answer in. One that the address names is stored like a choice. */
function languageOf(request: FastifyRequest, reply: FastifyReply): Locale {
  const query = Query.parse(request.query).lang;
  const requested = localeOfTag(query);
  if (requested !== undefined) reply.header("set-cookie", languageChoiceCookie(requested));
  return negotiateLanguage({
    query,
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
 * `GET /*`: the page of the path in the visitor's language; the document of the signed-in area; a
 * file beside the pages; or the page for unknown paths with status 404. A trailing slash redirects to
 * the page without it.
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
    const language = languageOf(request, reply);
    const pages = site.pages.get(language);
    const slim = path.replace(/\/+$/, "");
    if (slim !== path && slim !== "" && pages?.has(slim)) {
      return reply.redirect(query === undefined ? slim : `${slim}?${query}`, 308);
    }
    const { resource, found } = pageAt(pages, path);
    if (resource === undefined) throw new ProblemError("not_found");
    if (isSignedInPath(path)) reply.header("x-robots-tag", "noindex");
    reply.code(found ? 200 : 404);
    return sendPage(request, reply, { resource, language });
  });
}

type Pages = ReadonlyMap<string, Resource> | undefined;

/** The document of a path: its page, that of the signed-in area, or that of unknown paths. */
function pageAt(pages: Pages, path: string): { resource: Resource | undefined; found: boolean } {
  const name = isSignedInPath(path) ? signedInPath : path;
  const resource = hiddenPaths.includes(path) ? undefined : pages?.get(name);
  return { resource: resource ?? pages?.get(notFoundPath), found: resource !== undefined };
}
