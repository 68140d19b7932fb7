import { refusal } from "./engine-error.ts";

const BLANK_LINE = "\r\n\r\n";

function malformed(): Error {
  return refusal("BAD_ARGUMENTS", "The form can't be read.");
}

/** The boundary that a `multipart/form-data` content type names. */
function boundaryOf(contentType: string): string {
  const match = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) throw malformed();
  return boundary;
}

function fieldOf(part: Buffer): [name: string, value: string] {
  const headersEnd = part.indexOf(BLANK_LINE);
  if (headersEnd === -1) throw malformed();
  const headers = part.toString("utf8", 0, headersEnd);
  if (/;\s*filename\*?=/i.test(headers)) {
    throw refusal("NOT_IMPLEMENTED", "External tables are not supported.");
  }
  const name = /;\s*name="([^"]*)"/i.exec(headers)?.[1];
  if (name === undefined) throw malformed();
  return [name, part.toString("utf8", headersEnd + BLANK_LINE.length)];
}

/**
 * The text fields of a form (RFC 7578), in order, values byte for byte.
 * @throws {EngineError} 36 for what is no form, 48 for a file in it
 */
export function parseForm(body: Buffer, contentType: string): [name: string, value: string][] {
  // With a line break in front, every delimiter looks alike.
  const bytes = Buffer.concat([Buffer.from("\r\n"), body]);
  const delimiter = `\r\n--${boundaryOf(contentType)}`;
  const fields: [string, string][] = [];
  let at = bytes.indexOf(delimiter);
  for (;;) {
    if (at === -1) throw malformed();
    const afterDelimiter = at + delimiter.length;
    if (bytes.toString("latin1", afterDelimiter, afterDelimiter + 2) === "--") return fields;
    const next = bytes.indexOf(delimiter, afterDelimiter);
    if (next === -1) throw malformed();
    fields.push(fieldOf(bytes.subarray(afterDelimiter + 2, next)));
    at = next;
  }
}
