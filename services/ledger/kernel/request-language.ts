import { negotiateLanguage } from "@pro-talent/platform/http/negotiate-language";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { FastifyRequest } from "fastify";

/** The language to answer in: the one the form names, else cookie, browser, English. */
export function requestLanguage(request: FastifyRequest, named?: Locale): Locale {
  return negotiateLanguage({
    query: named,
    cookies: request.headers.cookie,
    accepted: request.headers["accept-language"],
  });
}
