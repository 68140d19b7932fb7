import { isIP } from "node:net";

import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Channel } from "@pro-talent/schemas/analytics/row";
import type { SessionStart } from "@pro-talent/schemas/analytics/wire";

import type { Arrival } from "../../visit-session.ts";
import { pagePathOrNone } from "../page-path.ts";
import { storedText } from "../stored-text.ts";

/** The campaign is part of the session id, whose length is bounded. */
const utmBytesMax = 1_600;

/**
 * How a visitor arrived.
 * @param host the name under which the visitor reached the site
 * @throws ProblemError `invalid_body` when the campaign's five texts together are too long
 */
export function arrivalOf(body: SessionStart, host: string | undefined): Arrival {
  const { utm } = body;
  const campaign = {
    utmSource: storedText(utm?.source),
    utmMedium: storedText(utm?.medium),
    utmCampaign: storedText(utm?.campaign),
    utmTerm: storedText(utm?.term),
    utmContent: storedText(utm?.content),
  };
  if (Buffer.byteLength(Object.values(campaign).join("")) > utmBytesMax) {
    const message = `Longer than ${utmBytesMax} bytes together`;
    throw new ProblemError("invalid_body", { errors: [{ pointer: "/utm", message }] });
  }
  const domain = referrerDomain(body.referrer);
  return {
    entryPage: pagePathOrNone(body.landingPage),
    referrerDomain: domain,
    channel: channelOf({ referrerDomain: domain, ownDomain: ownDomain(host), ...campaign }),
    ...campaign,
  };
}

/**
 * The domain of a referring page, in lower case and without `www.`; empty when there is none, when
 * it is not a web page, or when it is a bare network address.
 */
function referrerDomain(referrer: string | null | undefined): string {
  if (referrer === null || referrer === undefined || referrer === "") return "";
  const url = URL.parse(referrer);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return "";
  const host = url.hostname.toLowerCase().replace(/\.$/, "");
  if (host.startsWith("[") || isIP(host) !== 0) return "";
  return withoutWww(host).slice(0, 253);
}

/** A host without port and `www.`, to be compared with a referrer's domain. */
function ownDomain(host: string | undefined): string {
  return host === undefined ? "" : withoutWww(host.toLowerCase().replace(/:\d+$/, ""));
}

function withoutWww(host: string): string {
  return host.startsWith("www.") ? host.slice("www.".length) : host;
}

type ChannelClues = {
  referrerDomain: string;
  /** The domain of the site itself. */
  ownDomain: string;
  utmSource: string;
  utmMedium: string;
};

/** Campaign media as they are commonly written in links. */
const media: readonly (readonly [RegExp, Channel])[] = [
  [/^(?:cp[acmv]|ppc|paid.*|display|banner|retargeting|affiliates?|.*[ _-]ads?)$/, "paid"],
  [/^(?:e-?mail|newsletter|mail)$/, "email"],
  [/^(?:social.*|sm)$/, "social"],
  [/^organic$/, "search"],
  [/^(?:referral|link|partner)$/, "referral"],
];

/** Mail first: webmail is served from the domains of search engines. */
const domains: readonly (readonly [RegExp, Channel])[] = [
  [
    /^(?:mail\.(?:google|yahoo|yandex|proton)\.\w+|mail\.walla\.co\.il|outlook\.(?:live|office|office365)\.com|com\.google\.android\.gm)$/,
    "email",
  ],
  [
    /^(?:(?:m|search|[a-z]{2})\.)?(?:google|bing|duckduckgo|yahoo|yandex|baidu|ecosia|qwant|startpage|kagi|naver|seznam)(?:\.[a-z]{2,3}){1,2}$/,
    "search",
  ],
  [/^(?:search\.brave\.com|perplexity\.ai|chatgpt\.com)$/, "search"],
  [
    /^(?:[a-z]{1,6}\.)?(?:facebook|instagram|linkedin|twitter|x|reddit|youtube|tiktok|pinterest|whatsapp|telegram|snapchat|tumblr|vk|quora|discord)\.com$/,
    "social",
  ],
  [
    /^(?:lnkd\.in|t\.co|t\.me|wa\.me|youtu\.be|telegram\.org|threads\.(?:net|com)|bsky\.app|mastodon\.\w+)$/,
    "social",
  ],
];

function firstMatch(
  rules: readonly (readonly [RegExp, Channel])[],
  text: string,
): Channel | undefined {
  return text === "" ? undefined : rules.find(([pattern]) => pattern.test(text))?.[1];
}

/**
 * The channel of a visitor: by the campaign's medium, else by its source when that names a known
 * domain or medium, else by the referring domain. A campaign without anything known is a referral.
 */
function channelOf(clues: ChannelClues): Channel {
  const source = clues.utmSource.trim().toLowerCase();
  const byMedium = firstMatch(media, clues.utmMedium.trim().toLowerCase());
  if (byMedium !== undefined) return byMedium;
  if (source !== "") {
    const named = source.includes(".") ? source : `${source}.com`;
    return firstMatch(media, source) ?? firstMatch(domains, named) ?? "referral";
  }
  if (clues.referrerDomain === "") return "direct";
  if (clues.referrerDomain === clues.ownDomain) return "internal";
  return firstMatch(domains, clues.referrerDomain) ?? "referral";
}
