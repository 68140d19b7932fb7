import type { Exclusion } from "@pro-talent/schemas/links/opens";

import { botVerdict, type RequestTraits } from "./bot-verdict.ts";

/** A person, or why not, and what that is based on. */
export type OpenVerdict = {
  readonly exclusion: Exclusion | "";
  readonly reasons: readonly string[];
};

/** Programs that draw the preview of a link in a chat, a mail program or a network. */
const previews =
  /facebookexternalhit|facebookcatalog|facebot|whatsapp|twitterbot|linkedinbot|slack(?:bot|-imgproxy)|telegrambot|discordbot|skypeuripreview|microsoft (?:teams|preview)|viber|line-poker|linespider|kakaotalk-scrap|pinterest|redditbot|snap url preview|vkshare|embedly|iframely|mattermost|rocket\.chat|matrix|synapse|bluesky|mastodon|akkoma|pleroma|misskey|google-pagerenderer|googlemessages|google-inspectiontool|bingpreview|yahoo link preview|xing-contenttabreceiver|tumblr|flipboard|nuzzel|zoom\.us|webex|notion|trello|asana|jira|confluence|outbrain|preview/iu;
/** Mail servers and their protections, which open links before a person does. */
const scanners =
  /barracuda|proofpoint|mimecast|symantec|messagelabs|fireeye|trellix|mcafee|trend ?micro|sophos|forcepoint|websense|cisco|ironport|safe-?links|bitdefender|kaspersky|eset|avast|avira|fortinet|fortiguard|zscaler|checkpoint|cloudmark|spamassassin|virustotal|urlscan|phishtank|netcraft|ms-?office|microsoft (?:office|outlook)|security|scan(?:ner)?\b/iu;
const assistants =
  /gpt|openai|claude|anthropic|perplexity|cohere|mistral|deepseek|gemini|google-extended|googleagent|duckassist|meta-external(?:agent|fetcher)|amazon-kendra|amzn-|applebot-extended|bytespider|ccbot|youbot|diffbot|ai2bot|cursor|devin/iu;
const monitors =
  /uptime|monitor|pingdom|statuscake|site24x7|freshping|betteruptime|better stack|hetrix|newrelic|datadog|catchpoint|health-?check|kube-?probe|checkly|gtmetrix|pagespeed|lighthouse|webpagetest/iu;

/** Machines that read the web name themselves so, or the address of their owner. */
const crawlers = /bot|crawl|spider|slurp|archiv|https?:/iu;

const kinds: readonly (readonly [RegExp, Exclusion])[] = [
  [assistants, "assistant"],
  [previews, "preview"],
  [monitors, "monitor"],
  [scanners, "mail-scanner"],
];

/**
 * Whether a request for a link is an open by a person, from the request alone. The method and what a
 * browser announces come first: nothing is read on the screen of anyone.
 */
export function openVerdict(request: RequestTraits): OpenVerdict {
  const { isBot, reasons } = botVerdict(request);
  if (request.method === "HEAD") return { exclusion: "head", reasons };
  if (reasons.includes("prefetch")) return { exclusion: "prefetch", reasons };
  if (isBot === 0) return { exclusion: "", reasons: [] };
  const agent = request.headers["user-agent"] ?? "";
  const known = kinds.find(([pattern]) => pattern.test(agent))?.[1];
  if (known !== undefined) return { exclusion: known, reasons };
  return { exclusion: crawlers.test(agent) ? "crawler" : "automation", reasons };
}
