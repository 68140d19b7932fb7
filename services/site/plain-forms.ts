import { languageChoiceCookie } from "@pro-talent/platform/http/negotiate-language";
import { parseBody } from "@pro-talent/platform/http/parse-body";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import {
  leaveField,
  newsletterPages,
  newsletterPaths,
} from "@pro-talent/schemas/newsletter/categories";
import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";
import { localeOfTag } from "@pro-talent/schemas/primitives/language-tag";
import { Locale } from "@pro-talent/schemas/primitives/locale";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";

const LanguageChoice = z.object({
  lang: z.preprocess((tag) => (typeof tag === "string" ? localeOfTag(tag) : tag), Locale),
});
const languageBodyBytesMax = 256;

/**
 * The forms of the site's own pages as they work without scripts: the language switch, and the pages
 * that mails lead to. Takes a Fastify scope of its own.
 * @param publicOrigin of the site, as in `https://example.com`
 */
export function addPlainFormRoutes(app: FastifyInstance, publicOrigin: string): void {
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: newsletterLimits.bodyBytesMax },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  addLanguageRoute(app, publicOrigin);
  addMailedPageRoutes(app);
}

/** `POST /lang`: sets the language cookie for a year and leads back to where the visitor was. */
function addLanguageRoute(app: FastifyInstance, publicOrigin: string): void {
  app.post("/lang", { bodyLimit: languageBodyBytesMax }, async (request, reply) => {
    if (request.headers["sec-fetch-site"] === "cross-site") throw new ProblemError("forbidden");
    const { lang } = parseBody(LanguageChoice, request.body);
    return reply
      .header("set-cookie", languageChoiceCookie(lang))
      .redirect(returnPath(request.headers.referer, publicOrigin), 303);
  });
}

/**
 * Where on the site the visitor was, else the home page: a path with one slash in front, so that the
 * redirect never leaves the site.
 */
function returnPath(referer: string | undefined, publicOrigin: string): string {
  if (referer === undefined || !URL.canParse(referer)) return "/";
  const { origin, pathname, searchParams } = new URL(referer);
  if (origin !== publicOrigin) return "/";
  searchParams.delete("lang");
  const query = searchParams.size > 0 ? `?${searchParams.toString()}` : "";
  return `/${pathname.replace(/^\/+/, "")}${query}`;
}

/**
 * `POST` to the pages that mails lead to. Without scripts a page cannot put the token of its address
 * into its form; a form without an action posts to the page's address, and the redirect repeats the
 * token.
 */
function addMailedPageRoutes(app: FastifyInstance): void {
  app.post(newsletterPages.confirm, async (request, reply) =>
    passOn(request, reply, newsletterPaths.confirm),
  );
  app.post(newsletterPages.never, async (request, reply) =>
    passOn(request, reply, newsletterPaths.never),
  );
  app.post(newsletterPages.preferences, async (request, reply) =>
    passOn(
      request,
      reply,
      unsubscribes(request.body) ? newsletterPaths.unsubscribe : newsletterPaths.preferences,
    ),
  );
}

/** 307 Temporary Redirect: the browser posts the same body again, to the API. */
function passOn(request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply {
  const at = request.url.indexOf("?");
  const query = at < 0 ? "" : request.url.slice(at);
  return reply.redirect(path + query, 307);
}

/** Whether the button that ends the newsletter subscription was pressed. */
function unsubscribes(body: unknown): boolean {
  return typeof body === "object" && body !== null && leaveField in body;
}
