import { languageCookie } from "@pro-talent/platform/http/negotiate-language";
import { parseBody } from "@pro-talent/platform/http/parse-body";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { Locale } from "@pro-talent/schemas/primitives/locale";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

const Choice = z.object({ lang: Locale });
const yearSeconds = 365 * 24 * 60 * 60;
const bodyBytesMax = 256;

/** Where the visitor was: the path alone, so that the way back never leaves the site. */
export function wayBack(referer: string | undefined): string {
  if (referer === undefined || !URL.canParse(referer)) return "/";
  const { pathname, searchParams } = new URL(referer);
  searchParams.delete("lang");
  const query = searchParams.size > 0 ? `?${searchParams.toString()}` : "";
  return `/${pathname.replace(/^\/+/, "")}${query}`;
}

/**
 * `POST /lang` (form): the language switch without scripts. Sets the cookie for a year and goes back
 * to where the visitor was.
 */
export function addLanguageRoute(app: FastifyInstance): void {
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: bodyBytesMax },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  app.post("/lang", async (request, reply) => {
    if (request.headers["sec-fetch-site"] === "cross-site") throw new ProblemError("forbidden");
    const { lang } = parseBody(Choice, request.body);
    const cookie = `${languageCookie}=${lang}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`;
    return reply
      .header("set-cookie", cookie)
      .header("cache-control", "no-store")
      .redirect(wayBack(request.headers.referer), 303);
  });
}
