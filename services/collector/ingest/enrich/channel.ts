import type { Channel } from "@pro-talent/schemas/analytics/row";

export type ChannelClues = {
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

/** Mail first: webmail lives on the domains of search engines. */
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
 * How a visitor came: by the campaign's medium, else by the campaign's source when it names a known
 * domain or medium, else by the referring domain. A campaign that says nothing known is a referral.
 */
export function channelOf(clues: ChannelClues): Channel {
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
