import {
  leaveField,
  newsletterPages,
  newsletterPaths,
} from "@pro-talent/schemas/newsletter/categories";
import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** 307 Temporary Redirect: the browser posts the same body once more, to the API. */
function passOn(request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply {
  const at = request.url.indexOf("?");
  const query = at < 0 ? "" : request.url.slice(at);
  return reply.header("cache-control", "no-store").redirect(path + query, 307);
}

/** Whether the button was pressed that ends the letters. */
function leaves(body: unknown): boolean {
  return body instanceof URLSearchParams && body.has(leaveField);
}

/**
 * `POST` to the pages that mails link to. Without scripts a page cannot tell its form the token of
 * its address; a form that names no address posts to that of its page, and from here the token goes
 * on with it.
 */
export function addMailedLinkRoutes(app: FastifyInstance): void {
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: newsletterLimits.bodyBytesMax },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  app.post(newsletterPages.confirm, async (request, reply) =>
    passOn(request, reply, newsletterPaths.confirm),
  );
  app.post(newsletterPages.preferences, async (request, reply) =>
    passOn(
      request,
      reply,
      leaves(request.body) ? newsletterPaths.unsubscribe : newsletterPaths.preferences,
    ),
  );
}
