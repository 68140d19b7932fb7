import { createHash, createVerify } from "node:crypto";

type Header = { readonly name: string; readonly line: string };

/**
 * Verifies the DKIM signature of a mail as a receiver does (RFC 6376 §6), for `relaxed/relaxed` and
 * RSA. Independent of the library that signed it.
 * @returns the tags of the signature when it holds
 */
export function verifyDkim(
  raw: Buffer,
  publicKey: string,
): Readonly<Record<string, string>> | undefined {
  const source = raw.toString("latin1");
  const end = source.indexOf("\r\n\r\n");
  const headers = headersOf(source.slice(0, end));
  const signature = headers.find(({ name }) => name === "dkim-signature");
  if (signature === undefined) return undefined;
  const tags = tagsOf(signature.line);
  if (tags["c"] !== "relaxed/relaxed" || tags["a"] !== "rsa-sha256") return undefined;
  const body = createHash("sha256").update(relaxedBody(source.slice(end + 4)), "latin1");
  if (body.digest("base64") !== tags["bh"]) return undefined;
  const left = [...headers].reverse();
  const signed = (tags["h"] ?? "").split(":").flatMap((field) => {
    // Of several headers of a name, the last is signed first.
    const at = left.findIndex(({ name }) => name === field.trim().toLowerCase());
    return at === -1 ? [] : left.splice(at, 1).map(relaxedHeader);
  });
  const own = relaxedHeader(signature).replace(/(\bb=)[^;]*/, "$1");
  const verifier = createVerify("RSA-SHA256").update([...signed, own].join("\r\n"), "latin1");
  return verifier.verify(publicKey, tags["b"] ?? "", "base64") ? tags : undefined;
}

function headersOf(head: string): readonly Header[] {
  return head
    .split(/\r\n(?![ \t])/)
    .map((line) => ({ name: line.slice(0, line.indexOf(":")).trim().toLowerCase(), line }));
}

function tagsOf(line: string): Readonly<Record<string, string>> {
  const value = line.slice(line.indexOf(":") + 1).replaceAll(/\s+/g, "");
  const tags = value.split(";").filter((tag) => tag !== "");
  const found: Record<string, string> = {};
  for (const tag of tags) found[tag.slice(0, tag.indexOf("="))] = tag.slice(tag.indexOf("=") + 1);
  return found;
}

function relaxedHeader({ name, line }: Header): string {
  const value = line.slice(line.indexOf(":") + 1).replaceAll("\r\n", "");
  return `${name}:${value.replaceAll(/[ \t]+/g, " ").trim()}`;
}

function relaxedBody(body: string): string {
  const lines = body.split("\r\n").map((line) => line.replaceAll(/[ \t]+/g, " ").trimEnd());
  const text = lines.join("\r\n").replace(/(?:\r\n)+$/, "");
  return text === "" ? "" : `${text}\r\n`;
}
