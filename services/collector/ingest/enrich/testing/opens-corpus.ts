import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

import type { Exclusion } from "@pro-talent/schemas/links/opens";
import { z } from "zod";

import { expectedHeaders } from "../expected-headers.ts";
import { keptAgents } from "./measure-agents.ts";

/** A request for a share link, and what it is; a machine's without a kind may be any exclusion. */
export type LabelledOpen = {
  readonly label: "person" | "machine" | Exclusion;
  readonly method: "GET" | "HEAD";
  readonly httpVersion: string;
  readonly headers: Readonly<Record<string, string>>;
};

const Agents = z.object({ bots: z.array(z.string()), people: z.record(z.string(), z.unknown()) });

const documents = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
const languages = ["he-IL,he;q=0.9,en-US;q=0.8", "en-US,en;q=0.9", "de-DE,de;q=0.9,en;q=0.8", "fr"];

/** What the browser of an agent sends when a person follows a link (Fetch Metadata, UA Client Hints). */
export function navigationHeaders(agent: string, index = 0): Record<string, string> {
  const { fetchMetadata, clientHints, chromium = 0 } = expectedHeaders(agent);
  const isMobile = /Mobile|Android/u.test(agent);
  return {
    "user-agent": agent,
    accept: documents,
    "accept-language": languages[index % languages.length] ?? "en",
    "accept-encoding": "gzip, deflate, br, zstd",
    "upgrade-insecure-requests": "1",
    ...(fetchMetadata && {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-user": "?1",
      "sec-fetch-dest": "document",
    }),
    ...(clientHints && {
      "sec-ch-ua": `"Chromium";v="${chromium}", "Google Chrome";v="${chromium}", "Not?A_Brand";v="24"`,
      "sec-ch-ua-mobile": isMobile ? "?1" : "?0",
      "sec-ch-ua-platform": `"${platformOf(agent)}"`,
    }),
  };
}

function platformOf(agent: string): string {
  if (agent.includes("Windows NT")) return "Windows";
  if (agent.includes("CrOS")) return "Chrome OS";
  if (agent.includes("Android")) return "Android";
  return agent.includes("Macintosh") ? "macOS" : "Linux";
}

const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const android =
  "Mozilla/5.0 (Linux; Android 14; SM-S921B Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.6723.102 Mobile Safari/537.36";
/**
 * Browsers within apps, as their makers' documents and the test data of ua-parser-js 1.0.41 (MIT) and of
 * matomo's device-detector (facts alone) show them.
 */
const inApps = [
  `${iphone} Mobile/15E148 [LinkedInApp]/9.30.1234`,
  `${iphone} Mobile/22B83 Instagram 355.0.0.27.91 (iPhone15,3; iOS 18_1; en_US; en; scale=3.00; 1290x2796; 653433862)`,
  `${iphone} Mobile/22B83 [FBAN/FBIOS;FBAV/488.0.0.69.103;FBBV/653143345;FBDV/iPhone15,3;FBMD/iPhone;FBSN/iOS;FBSV/18.1;FBSS/3;FBCR/;FBID/phone;FBLC/he_IL;FBOP/80]`,
  `${iphone} Mobile/15E148 Twitter for iPhone/10.65`,
  `${iphone} Mobile/22B83 Safari Line/14.18.0`,
  `${iphone} Mobile/15E148 Snapchat/13.15.0.47 (like Safari/8619.2.8.10.9, panda)`,
  `${iphone} GSA/343.0.695551749 Mobile/15E148 Safari/604.1`,
  `${iphone} CriOS/130.0.6723.90 Mobile/15E148 Safari/604.1`,
  `${iphone} FxiOS/132.0 Mobile/15E148 Safari/605.1.15`,
  `${iphone} EdgiOS/130.0.2849.68 Version/18.0 Mobile/15E148 Safari/604.1`,
  `${iphone} Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`,
  `${iphone} Mobile/15E148`,
  `${android} LinkedInApp/4.1.1000`,
  `${android} Instagram 355.1.0.44.103 Android (34/14; 480dpi; 1080x2120; samsung; SM-S921B; e1s; s5e9945; en_US; 653433862)`,
  `${android} [FB_IAB/FB4A;FBAV/489.0.0.66.81;]`,
  `${android} [FB_IAB/Orca-Android;FBAV/481.0.0.44.85;]`,
  `${android} Line/14.18.1/IAB`,
  `${android} musical_ly_2023609030 BytedanceWebview/d8a21c6`,
  `${android} Snapchat/13.15.0.50`,
  `${android} GSA/15.43.34.29.arm64`,
  `${android} GoogleApp/15.43.34`,
  `${android} MicroMessenger/8.0.53.2740(0x2800353B) WeChat/arm64`,
  `${android} KAKAOTALK/11.1.2`,
  android,
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Teams/24295.605.3225.8804 Chrome/128.0.6613.186 Electron/32.2.0 Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Slack/4.41.97 Chrome/128.0.6613.186 Electron/32.2.3 Safari/537.36",
];

/** As their operators document them. */
const machines: Readonly<Record<string, readonly string[]>> = {
  preview: [
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "WhatsApp/2.23.20.0 A",
    "WhatsApp/2.2441.6 W",
    "Twitterbot/1.0",
    "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Slack-ImgProxy (+https://api.slack.com/robots)",
    "TelegramBot (like TwitterBot)",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com",
    "Viber/15.7.0.24",
    "facebookexternalhit/1.1;line-poker/1.0",
    "facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984",
    "Pinterest/0.2 (+https://www.pinterest.com/bot.html)",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
    "Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)",
    "Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots",
    "Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)",
    "Iframely/1.3.1 (+https://iframely.com/docs/about)",
    "Mastodon/4.3.1 (http.rb/5.2.0; +https://mastodon.social/)",
  ],
  "mail-scanner": [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/79.0.3945.130 Safari/537.36 BarracudaCentral/1.0",
    "Mozilla/5.0 (compatible; Proofpoint URL Defense)",
    "Mimecast/1.0 (URL Protect)",
    "Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/7.0; ms-office)",
    "Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17928; Pro)",
    "Mozilla/5.0 (compatible; Fortinet FortiMail)",
    "Trend Micro URL Filtering Engine 5.0",
  ],
  assistant: [
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)",
    "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
    "Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)",
    "DuckAssistBot/1.2; (+http://duckduckgo.com/duckassistbot.html)",
  ],
  monitor: [
    "Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
    "Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)",
    "Better Uptime Bot Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)",
    "Datadog/Synthetics",
    "kube-probe/1.31",
    "StatusCake",
    "Mozilla/5.0 (compatible; Site24x7)",
  ],
};

/** Not older than about three years: Chromium 110, Firefox 110, Safari 16. */
function isRecent(agent: string): boolean {
  const { chromium = 0 } = expectedHeaders(agent);
  const version = (pattern: RegExp): number => Number(pattern.exec(agent)?.[1] ?? 0);
  return (
    chromium >= 110 ||
    version(/(?:Firefox|FxiOS|CriOS)\/(\d+)/u) >= 110 ||
    version(/Version\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari/u) >= 16
  );
}

const bare = { accept: "*/*", "accept-encoding": "gzip" };
const get = { method: "GET", httpVersion: "1.1" } as const;

/** Published agents with the headers that come with them: people, and machines of each kind. */
export function labelledOpens(): LabelledOpen[] {
  const text = gunzipSync(readFileSync(keptAgents)).toString("utf8");
  const { bots, people } = Agents.parse(JSON.parse(text));
  const readers = [...Object.keys(people).filter(isRecent), ...inApps];
  // Followed from another site, and typed or opened from an app that is no browser.
  const persons = readers.flatMap((agent, index): LabelledOpen[] => {
    const followed = navigationHeaders(agent, index);
    const typed = followed["sec-fetch-site"] === undefined ? {} : { "sec-fetch-site": "none" };
    return [followed, { ...followed, ...typed, "accept-language": "he" }].map((headers) => {
      return { ...get, label: "person", headers };
    });
  });
  const named = Object.entries(machines).flatMap(([label, agents]) =>
    agents.map((agent): LabelledOpen => {
      const kind = z.enum(["preview", "mail-scanner", "assistant", "monitor"]).parse(label);
      return { ...get, label: kind, headers: { "user-agent": agent, ...bare } };
    }),
  );
  const sample = persons.filter((_, index) => index % 10 === 0);
  return [
    ...persons,
    ...named,
    // Bots as they come, and bots that send everything that a browser sends.
    ...bots.map((agent): LabelledOpen => {
      return { ...get, label: "machine", headers: { "user-agent": agent, ...bare } };
    }),
    ...bots.map((agent): LabelledOpen => {
      return { ...get, label: "machine", headers: navigationHeaders(agent) };
    }),
    ...sample.map((open): LabelledOpen => ({ ...open, label: "head", method: "HEAD" })),
    ...sample.map((open, index): LabelledOpen => {
      const purpose =
        index % 2 === 0 ? { "sec-purpose": "prefetch;prerender" } : { "x-moz": "prefetch" };
      return { ...open, label: "prefetch", headers: { ...open.headers, ...purpose } };
    }),
    // Programs that borrow a browser's name, and not what it sends.
    ...sample.map((open): LabelledOpen => {
      const { "user-agent": agent = "" } = open.headers;
      return { ...get, label: "automation", headers: { "user-agent": agent, accept: "*/*" } };
    }),
  ];
}
