import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { parsePlainForm } from "./parse-plain-form.ts";

const contentType = "application/x-www-form-urlencoded";

/** What a browser without scripts can be told: the ids of the elements of the page `/answer`. */
export type PlainOutcome =
  | "contact-received"
  | "contact-incomplete"
  | "contact-failed"
  | "subscribe-sent"
  | "subscribe-already"
  | "subscribe-incomplete"
  | "subscribe-failed"
  | "confirm-expired"
  | "confirm-used"
  | "confirm-unknown"
  | "resend-sent"
  | "preferences-saved"
  | "unsubscribed";

/**
 * Lets the routes of this scope take what a form sends without scripts: the same addresses as for
 * JSON, a record of strings (or of lists, where a name comes several times) as the body.
 */
export function addPlainForms(app: FastifyInstance): void {
  if (app.hasContentTypeParser(contentType)) return;
  app.addContentTypeParser(contentType, { parseAs: "buffer" }, (_request, body, done) => {
    try {
      done(null, parsePlainForm(Buffer.isBuffer(body) ? body : Buffer.from(body)));
    } catch (error) {
      done(error instanceof Error ? error : new ProblemError("bad_request"));
    }
  });
}

/** Whether a browser sent this by itself, and shows whatever is answered as a page. */
export function isPlainForm(request: FastifyRequest): boolean {
  const [type = ""] = (request.headers["content-type"] ?? "").split(";", 1);
  return type.trim().toLowerCase() === contentType;
}

/**
 * Refuses forms of other sites in this scope: browsers send them without asking anybody, unlike
 * JSON. Mail programs and other clients that name no origin are not browsers of somebody else.
 */
export function requireOwnOrigin(app: FastifyInstance, publicOrigin: string): void {
  app.addHook("onRequest", async (request) => {
    if (!isPlainForm(request)) return;
    const { origin } = request.headers;
    const foreign = origin !== undefined && origin !== publicOrigin;
    if (foreign || request.headers["sec-fetch-site"] === "cross-site") {
      throw new ProblemError("forbidden");
    }
  });
}

/** 303 See Other: the browser fetches the page there, and going back does not send the form again. */
export function seeOther(reply: FastifyReply, location: string): FastifyReply {
  return reply.code(303).header("location", location).header("cache-control", "no-store").send();
}

/** Leads the browser to the part of the page `/answer` that says how it went. */
export function answerPlainForm(reply: FastifyReply, outcome: PlainOutcome): FastifyReply {
  return seeOther(reply, `/answer#${outcome}`);
}

/**
 * Turns refusals of plain forms into pages, in this scope: a person would be shown problem details
 * as they are. What is wrong with the fields leads to `incomplete`, all else to `failed`; forms of
 * other sites stay refused. Counters and logs see the refusal itself.
 */
export function answerRefusedForms(
  app: FastifyInstance,
  outcomes: { readonly incomplete: PlainOutcome; readonly failed: PlainOutcome },
): void {
  app.addHook("onSend", async (request, reply, payload) => {
    const { statusCode } = reply;
    if (statusCode < 400 || statusCode === 403 || !isPlainForm(request)) return payload;
    const outcome = statusCode === 422 ? outcomes.incomplete : outcomes.failed;
    reply.code(303).removeHeader("content-type").removeHeader("content-length");
    reply.header("location", `/answer#${outcome}`).header("cache-control", "no-store");
    return null;
  });
}
