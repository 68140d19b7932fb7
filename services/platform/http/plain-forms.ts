import { isUtf8 } from "node:buffer";

import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { FastifyInstance, FastifyRequest } from "fastify";

import { SeeOther } from "./add-calls.ts";
import { negotiateLanguage } from "./negotiate-language.ts";
import { ProblemError, sentProblem } from "./problem-details.ts";

const contentType = "application/x-www-form-urlencoded";

/**
 * Lets the routes of this scope accept forms that a browser sends without scripts, at the same
 * addresses as JSON: a record of strings (or of lists, where a name occurs several times) as the body.
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
 * Refuses plain forms of other sites in this scope: browsers send them without a preflight, unlike
 * JSON. Mail programs and other clients that name no origin are not browsers of another site.
 */
export function requireOwnOrigin(app: FastifyInstance, publicOrigin: string): void {
  app.addHook("onRequest", async (request) => {
    if (isPlainForm(request)) requireOrigin(request, publicOrigin);
  });
}

/**
 * Refuses whatever pages of other sites send in this scope to change something, in any form: no other
 * site can sign a browser in, or out.
 */
export function refuseOtherOrigins(app: FastifyInstance, publicOrigin: string): void {
  app.addHook("onRequest", async (request) => {
    if (!["GET", "HEAD"].includes(request.method)) requireOrigin(request, publicOrigin);
  });
}

/** @throws ProblemError */
function requireOrigin({ headers }: FastifyRequest, publicOrigin: string): void {
  const isForeign = headers.origin !== undefined && headers.origin !== publicOrigin;
  if (isForeign || headers["sec-fetch-site"] === "cross-site") throw new ProblemError("forbidden");
}

/** Leads the browser to the section of the page `/answer` with this id. */
export function answerPlainForm(formAnswer: string): SeeOther {
  return new SeeOther(`/answer#${formAnswer}`);
}

/** Where refused forms lead: wrong fields to `incomplete`, all else to `failed`, unless by problem code. */
export type RefusedForms = {
  readonly incomplete: string;
  readonly failed: string;
  readonly byCode?: Readonly<Record<string, string>>;
};

/**
 * Turns refusals of plain forms into pages, in this scope: a person would see problem details as they
 * are. Forms of other sites stay refused. Counters and logs see the refusal itself.
 */
export function answerRefusedForms(app: FastifyInstance, forms: RefusedForms): void {
  app.addHook("onSend", async (request, reply, payload) => {
    const { statusCode } = reply;
    if (statusCode < 400 || statusCode === 403 || !isPlainForm(request)) return payload;
    const code = sentProblem(reply, payload)?.code ?? "";
    const other = statusCode === 422 ? forms.incomplete : forms.failed;
    const { location } = answerPlainForm(forms.byCode?.[code] ?? other);
    reply.code(303).removeHeader("content-type").removeHeader("content-length");
    reply.header("location", location);
    return null;
  });
}

/** The language to answer in: the one the form names, else cookie, browser, English. */
export function requestLanguage(request: FastifyRequest, named?: Locale): Locale {
  return negotiateLanguage({
    query: named,
    cookies: request.headers.cookie,
    accepted: request.headers["accept-language"],
  });
}

/** The fields of a form; a name that was sent several times has all its values. */
export type PlainForm = Readonly<Record<string, string | readonly string[]>>;

/** More than any form has; each field costs more than its bytes. */
const fieldsMax = 100;
/** Names that would change an object's prototype when copied carelessly. */
const poisoned: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
const brokenEscape = /%(?![0-9A-Fa-f]{2})/;

/**
 * Parses `application/x-www-form-urlencoded` as strictly as JSON: nothing is replaced or guessed. Line
 * ends are those that scripts see: browsers send CR LF for each of them.
 * @throws ProblemError `invalid_encoding` or `bad_request`
 */
export function parsePlainForm(body: Buffer): PlainForm {
  if (!isUtf8(body)) throw new ProblemError("invalid_encoding");
  const pairs = body
    .toString("utf8")
    .split("&")
    .filter((pair) => pair !== "");
  if (pairs.length > fieldsMax) throw new ProblemError("bad_request");
  const fields = new Map<string, string | readonly string[]>();
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    const name = decoded(at < 0 ? pair : pair.slice(0, at));
    const value = at < 0 ? "" : decoded(pair.slice(at + 1)).replaceAll("\r\n", "\n");
    if (poisoned.has(name)) throw new ProblemError("bad_request");
    const earlier = fields.get(name);
    fields.set(name, earlier === undefined ? value : [earlier, value].flat());
  }
  return Object.fromEntries(fields);
}

function decoded(text: string): string {
  if (brokenEscape.test(text)) throw new ProblemError("bad_request");
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch (cause) {
    throw new ProblemError("invalid_encoding", { cause });
  }
}
