import { isUtf8 } from "node:buffer";

import { ProblemError } from "@pro-talent/platform/http/problem-details";

/** The fields of a form; a name that was sent several times has all its values. */
export type PlainForm = Readonly<Record<string, string | readonly string[]>>;

/** More than any form here has; each field costs more than its bytes. */
const fieldsMax = 100;
/** Names that would reach into an object's prototype when copied carelessly. */
const poisoned: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
const brokenEscape = /%(?![0-9A-Fa-f]{2})/;

/**
 * Reads `application/x-www-form-urlencoded` as strictly as JSON is read: nothing is replaced or
 * guessed. Line ends are those that scripts see: browsers send CR LF for every one of them.
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
