/** A mail as it arrived, taken apart. */
export type ReadMail = {
  /** By lower-cased name, each with all its values, unfolded and decoded. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly messageId: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

type Part = { readonly headers: ReadonlyMap<string, readonly string[]>; readonly body: string };

/**
 * Reads the mails that the mailer writes: text and HTML side by side, in quoted-printable or base64.
 * Independent of the library that wrote them.
 */
export function readMail(raw: Buffer): ReadMail {
  const whole = partOf(raw.toString("latin1"));
  const boundary = /boundary="?([^";]+)"?/.exec(first(whole, "content-type"))?.[1];
  const parts =
    boundary === undefined
      ? [whole]
      : whole.body
          .split(`--${boundary}`)
          .slice(1, -1)
          .map((part) => partOf(part.replace(/^\r\n/, "")));
  const content = (type: string): string => {
    const part = parts.find((one) => first(one, "content-type").startsWith(type));
    return part === undefined ? "" : contentOf(part);
  };
  return {
    headers: whole.headers,
    messageId: first(whole, "message-id"),
    subject: first(whole, "subject"),
    text: content("text/plain"),
    html: content("text/html"),
  };
}

function first(part: Part, name: string): string {
  return part.headers.get(name)?.[0] ?? "";
}

function partOf(source: string): Part {
  const end = source.indexOf("\r\n\r\n");
  const headers = new Map<string, string[]>();
  for (const line of source
    .slice(0, end)
    .replaceAll(/\r\n(?=[ \t])/g, "")
    .split("\r\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), decodedWords(line.slice(colon + 1).trim())]);
  }
  return { headers, body: source.slice(end + 4) };
}

/** Decodes encoded words (RFC 2047); adjacent ones are one text. */
function decodedWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/(?:=\?utf-8\?[BQ]\?[^?]*\?=)+/gi, (words) =>
      Buffer.concat(
        [...words.matchAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi)].map(([, way = "", word = ""]) =>
          way.toUpperCase() === "B"
            ? Buffer.from(word, "base64")
            : fromQuotedPrintable(word.replaceAll("_", " ")),
        ),
      ).toString("utf8"),
    );
}

function contentOf(part: Part): string {
  const way = first(part, "content-transfer-encoding").toLowerCase();
  const bytes =
    way === "base64"
      ? Buffer.from(part.body, "base64")
      : way === "quoted-printable"
        ? fromQuotedPrintable(part.body)
        : Buffer.from(part.body, "latin1");
  return bytes.toString("utf8").replaceAll("\r\n", "\n").trimEnd();
}

function fromQuotedPrintable(text: string): Buffer {
  const bytes = text
    .replaceAll(/=\r\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/gi, (_sign, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return Buffer.from(bytes, "latin1");
}
