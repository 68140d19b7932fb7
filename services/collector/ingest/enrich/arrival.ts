import { isIP } from "node:net";

import { cutText } from "@pro-talent/schemas/analytics/cut-text";
import type { Channel } from "@pro-talent/schemas/analytics/row";
import type { SessionStart } from "@pro-talent/schemas/analytics/wire";

import type { Arrival } from "../../visit-session.ts";
import { pagePath, pagePathOrNone } from "../page-path.ts";
import { storedText } from "../stored-text.ts";
import { channelOfHost } from "./referrers.ts";

/** The campaign is part of the session id, whose length is bounded. */
const utmBytesMax = 1_600;
const campaignFields = ["utmSource", "utmMedium", "utmCampaign", "utmTerm", "utmContent"] as const;

/**
 * How a visitor arrived.
 * @param host the name under which the visitor reached the site
 */
export function arrivalOf(body: SessionStart, host: string | undefined): Arrival {
  const { utm } = body;
  const campaign = bounded({
    utmSource: storedText(utm?.source),
    utmMedium: storedText(utm?.medium),
    utmCampaign: storedText(utm?.campaign),
    utmTerm: storedText(utm?.term),
    utmContent: storedText(utm?.content),
  });
  const domain = domainOf(body.referrer);
  const referrer = { referrerDomain: domain, referrerPath: referrerPath(body.referrer) };
  return {
    entryPage: pagePathOrNone(body.landingPage),
    referrerDomain: storedText(domain),
    channel: channelOf({ ...referrer, ownDomain: ownDomain(host), ...campaign }),
    ...campaign,
  };
}

const referringProtocols = new Set(["https:", "http:", "android-app:"]);

type Campaign = Pick<Arrival, (typeof campaignFields)[number]>;

/** Cuts the longest text of a campaign until all of them together are short enough. */
function bounded(campaign: Campaign): Campaign {
  const bytes = Buffer.byteLength(Object.values(campaign).join(""));
  if (bytes <= utmBytesMax) return campaign;
  const longest = campaignFields.reduce((most, field) =>
    Buffer.byteLength(campaign[field]) > Buffer.byteLength(campaign[most]) ? field : most,
  );
  const text = campaign[longest];
  // One UTF-16 unit has at most three bytes.
  const charsMax = text.length - Math.ceil((bytes - utmBytesMax) / 3);
  return bounded({ ...campaign, [longest]: cutText(text, Math.max(0, charsMax)) });
}

/**
 * Where a page view came from: a page of the site itself as its path, any other as its domain; empty
 * when it is not known.
 * @param host the name under which the visitor reached the site
 */
export function pageReferrer(
  referrer: string | null | undefined,
  host: string | undefined,
): string {
  if (referrer === null || referrer === undefined) return "";
  if (/^\/(?!\/)/.test(referrer)) return pagePath(referrer);
  const domain = domainOf(referrer);
  return domain !== "" && domain === ownDomain(host) ? pagePath(referrer) : storedText(domain);
}

/**
 * The domain of another page, in lower case and without `www.`, or the package name of a
 * referring Android app; empty when there is neither, or when it is a bare network address.
 */
export function domainOf(address: string | null | undefined): string {
  if (address === null || address === undefined || address === "") return "";
  const url = URL.parse(address);
  if (url === null || !referringProtocols.has(url.protocol)) return "";
  const host = url.hostname.toLowerCase().replace(/\.$/, "");
  if (host.startsWith("[") || isIP(host) !== 0) return "";
  return withoutWww(host).slice(0, 253);
}

/** The path is read for the channel and not stored. */
function referrerPath(referrer: string | null | undefined): string {
  return URL.parse(referrer ?? "")?.pathname ?? "";
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
  referrerPath: string;
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
  [/^(?:ai|llm|chatbot|assistants?)$/, "assistant"],
  [/^job[ _-]?(?:s|board|boards|ad|site)$/, "jobs"],
  [/^(?:referral|link|partner)$/, "referral"],
];

function channelOfMedium(text: string): Channel | undefined {
  return text === "" ? undefined : media.find(([pattern]) => pattern.test(text))?.[1];
}

/** Sources are written as a domain (`chatgpt.com`) or as a name (`linkedin`). */
function channelOfSource(source: string): Channel {
  const hosts = source.includes(".") ? [withoutWww(source)] : [`${source}.com`, `${source}.ai`];
  const known = hosts.map((host) => channelOfHost(host)).find((channel) => channel !== undefined);
  return channelOfMedium(source) ?? known ?? "referral";
}

/**
 * The channel of a visitor: by the campaign's medium, else by its source when that names a known
 * domain or medium, else by the referring domain. A campaign without anything known is a referral.
 */
function channelOf(clues: ChannelClues): Channel {
  const source = clues.utmSource.trim().toLowerCase();
  const byMedium = channelOfMedium(clues.utmMedium.trim().toLowerCase());
  if (byMedium !== undefined) return byMedium;
  if (source !== "") return channelOfSource(source);
  if (clues.referrerDomain === "") return "direct";
  if (clues.referrerDomain === clues.ownDomain) return "internal";
  return channelOfHost(clues.referrerDomain, clues.referrerPath) ?? "referral";
}
