import type { IncomingHttpHeaders } from "node:http";

import { getOutside } from "@pro-talent/platform/http/get-outside";
import type { OutsideOptions } from "@pro-talent/platform/http/outside-connection";
import { readExternalUrl } from "@pro-talent/schemas/links/read-external-url";

import { decodeText } from "../decode-text.ts";

const bytesMax = 1024 * 1024;
const redirectsMax = 5;
const timeoutMsUsual = 5_000;
/** Where a page may state its encoding (HTML, "prescan a byte stream"). */
const prescanBytes = 1024;
const headers = {
  "user-agent": "ProTalent-Postings/1",
  accept: "text/html,application/xhtml+xml;q=0.9",
};

/**
 * The text of a public web page, the first MiB of it. Each redirect is checked as the address itself: http or
 * https, the usual port, a name in the public DNS, neither user nor password.
 * @returns undefined where there is no HTML page within five redirects and five seconds
 */
export async function fetchPage(
  address: string,
  options: OutsideOptions = {},
): Promise<string | undefined> {
  const until = AbortSignal.timeout(options.timeoutMs ?? timeoutMsUsual);
  const asked = { headers, bytesMax, reads: isPage, until };
  let url = pageAddress(address);
  for (let redirects = 0; url !== undefined && redirects <= redirectsMax; redirects += 1) {
    const answer = await getOutside(url, asked, options);
    if ("fault" in answer) return undefined;
    if (isPage(answer.status, answer.headers)) return textOf(answer.body, answer.headers);
    const { location } = answer.headers;
    if (location === undefined || answer.status < 300 || answer.status > 399) return undefined;
    url = pageAddress(location, url);
  }
  return undefined;
}

function isPage(status: number, answered: IncomingHttpHeaders): boolean {
  const type = answered["content-type"] ?? "";
  return status === 200 && /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/iu.test(type);
}

/** The canonical form of an address that may be fetched; a bare name is read as https. */
function pageAddress(text: string, base?: string): string | undefined {
  const full = URL.canParse(text, base) ? new URL(text, base).href : text;
  const isPlain = full.startsWith("http:");
  // The same rules hold for both schemes.
  const read = readExternalUrl(isPlain ? `https:${full.slice("http:".length)}` : full);
  if ("fault" in read) return undefined;
  return isPlain ? read.url.replace(/^https:/u, "http:") : read.url;
}

function textOf(body: Buffer, answered: IncomingHttpHeaders): string {
  const stated = /;\s*charset\s*=\s*"?([^\s;"]+)/iu.exec(answered["content-type"] ?? "")?.[1];
  const beginning = body.subarray(0, prescanBytes).toString("latin1");
  const inPage = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([^\s"'/>;]+)/iu.exec(beginning)?.[1];
  return decodeText(body, stated ?? inPage);
}
