import { describe, expect, it } from "vitest";

import { botVerdict } from "./bot-verdict.ts";
import { userAgentFacts } from "./user-agent.ts";

const chrome =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
const person = {
  "user-agent": chrome,
  accept: "*/*",
  "accept-language": "he,en;q=0.8",
  "accept-encoding": "gzip, br",
};

const verdict = (headers: Record<string, string>, method = "POST", httpVersion = "1.1") =>
  botVerdict({
    method,
    httpVersion,
    headers,
    agent: userAgentFacts(headers["user-agent"] ?? ""),
  });

describe("the bot verdict about a request", () => {
  it("is a person for a browser's request", () => {
    expect(verdict(person)).toEqual({ isBot: 0, reasons: [] });
  });

  it.each([
    "Mozilla/5.0 (Linux; Android 9; CUBOT X19) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:142.0) Gecko/20100101 Firefox/142.0",
    "Mozilla/5.0 (Linux; Android 15; SAMSUNG SM-S931B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Slack/4.41.105 Chrome/130.0.6723.191 Electron/33.3.1 Safari/537.36",
    "Mozilla/5.0 (Linux; Android 13; Discovery SE) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/127.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (Linux; Android 8.1.0; XBot Junior) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/87.0.4280.101 Mobile Safari/537.36",
    "Mozilla/5.0 (Linux; Android 11; OK Google TV Build/RTM7.230903.015; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/129.0.6668.100 Mobile Safari/537.36",
    "Mozilla/5.0 (Linux armv7l) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/84.0.4147.140 Safari/537.36 OPR/46.0.2207.0 OMI/4.21.4.112.Catcher4.69 Model/Hisense-MT9602 VIDAA/5.0(Hisense;SmartTV)",
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36 (Ecosia android@150.0.0.0)",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/120.0.0.0",
    "dv(iPh14,5);pr(UCBrowser/13.9.0.1727);ov(15_4_1);ss(390x844);bt(UC);pm(0);bv(0);nm(0);im(0);nt(1);",
    "SonyEricssonJ108i/R1x Browser/NetFront/3.5 Profile/MIDP-2.1 Configuration/CLDC-1.1 JavaPlatform/JP-8.5",
    "Mozilla/5.0 (SAMSUNG; SAMSUNG-GT-S8600/1.0; U; Bada/2.0; en-us) AppleWebKit/534.20 (KHTML, like Gecko) Dolfin/3.0 Mobile WVGA SMM-MMS/1.2.0 OPN-B",
    "Opera/9.80 (Linux mips; HbbTV/1.2.1 (; Freesat/1.0; hdr1000s; 1.0.0; 1.0.0; wired); ce-html/1.0) Presto/2.12.407 Version/12.50",
    "smarttv_AFTKA_Build_0017381305986_Chromium_88.0.4324.152",
    "Mozilla/5.0 (Windows NT 10.0; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/69.0.3497.92 Safari/537.36 ICAPoHTTPS",
    "Safari/18615.1.21.11.5 CFNetwork/1406.0.2 Darwin/22.4.0",
  ])("is a person for %s", (userAgent) => {
    expect(verdict({ ...person, "user-agent": userAgent }).isBot).toBe(0);
  });

  it.each([
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.0.0 Safari/537.36",
    "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "WhatsApp/2.23.20.0",
    "curl/8.5.0",
    "python-requests/2.32.3",
    "Go-http-client/1.1",
    "node",
    "axios/1.7.7",
  ])("is a machine for %s", (userAgent) => {
    const { isBot, reasons } = verdict({ ...person, "user-agent": userAgent });
    expect(isBot).toBe(1);
    expect(reasons).toContain("user_agent_listed");
  });

  it.each([
    "GTmetrix",
    "ScreenshotOne",
    "Chrome-Lighthouse",
    "PTST/240101",
    "PingdomPageSpeed/1.0",
    "DebugBear",
    "YLT",
    "Yandex.Translate",
    "Webthumb/2.0",
    "Websnapr/3.0",
    "Assetnote/1.0.0",
    "claude-web",
    "Barracuda Sentinel (EE) security",
    "NotebookLM/1.0",
    "Scrapy/2.11",
  ])("is a machine for a browser that adds %s", (name) => {
    const { isBot, reasons } = verdict({ ...person, "user-agent": `${chrome} ${name}` });
    expect({ isBot, many: reasons.length }).toEqual({ isBot: 1, many: 1 });
  });

  it.each([
    "GPTBot/1.2; +https://openai.com/gptbot",
    "ChatGPT-User/1.0; +https://openai.com/bot",
    "OAI-SearchBot/1.0; +https://openai.com/searchbot",
    "ClaudeBot/1.0; +claudebot@anthropic.com",
    "Claude-User/1.0; +Claude-User@anthropic.com",
    "PerplexityBot/1.0; +https://perplexity.ai/perplexitybot",
    "Perplexity-User/1.0",
    "Google-Extended",
    "Bytespider; spider-feedback@bytedance.com",
    "CCBot/2.0",
    "Amazonbot/0.1",
    "Amzn-User/0.1",
    "Applebot-Extended/0.1",
    "meta-externalagent/1.1",
    "meta-externalfetcher/1.1",
    "DuckAssistBot/1.2",
    "MistralAI-User/1.0",
    "UptimeRobot/2.0; http://www.uptimerobot.com/",
    "Devin/1.0",
    "Kimi-User/1.0",
    "AnyNameAtAll/1.0",
    "Nuclei - Open-source project",
  ])("is a machine for the assistant, crawler or monitor %s", (name) => {
    const agent = `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ${name})`;
    expect(verdict({ ...person, "user-agent": agent }).isBot).toBe(1);
  });

  it.each([
    "Mozilla/5.0 (Zoom.Mac 10.8.5 x86)",
    "Mozilla/5.0 (Laravel Reaver)",
    "CopperEgg/RevealAvailability/Oregon",
    "Sqworm/2.9.85-BETA",
  ])("is a machine for %s, which names no browser", (userAgent) => {
    expect(verdict({ ...person, "user-agent": userAgent }).reasons).toContain("no_browser_engine");
  });

  it("is a machine for a browser that says it is driven by a program", () => {
    expect(verdict({ ...person, "x-automation": "1" })).toEqual({
      isBot: 1,
      reasons: ["automation_stated"],
    });
  });

  it.each([
    ["user_agent_missing", {}, "POST"],
    ["headless", { "user-agent": chrome, "sec-ch-ua": '"HeadlessChrome";v="141"' }, "POST"],
    ["method_head", { "user-agent": chrome }, "HEAD"],
    ["prefetch", { "user-agent": chrome, purpose: "prefetch" }, "GET"],
    ["prefetch", { "user-agent": chrome, "sec-purpose": "prefetch;prerender" }, "GET"],
    ["prefetch", { "user-agent": chrome, "x-moz": "prefetch" }, "GET"],
    ["prefetch", { "user-agent": chrome, "x-purpose": "preview" }, "GET"],
  ])("is a machine for %s alone", (reason, headers, method) => {
    const { "user-agent": _agent, ...rest } = person;
    const { isBot, reasons } = verdict({ ...rest, ...headers }, method);
    expect({ isBot, reasons }).toEqual({ isBot: 1, reasons: [reason] });
  });

  it("is a machine for a browser without a window", () => {
    const headless = chrome.replace("Chrome/", "HeadlessChrome/");
    expect(verdict({ ...person, "user-agent": headless }).reasons).toEqual([
      "user_agent_listed",
      "headless",
    ]);
  });

  it("needs two of the reasons that apply to people too", () => {
    const { "accept-language": _language, ...noLanguage } = person;
    const { accept: _accept, ...neither } = noLanguage;
    expect(verdict(noLanguage)).toEqual({ isBot: 0, reasons: ["accept_language_missing"] });
    expect(verdict(person, "POST", "1.0")).toEqual({ isBot: 0, reasons: ["http_1_0"] });
    expect(verdict(noLanguage, "POST", "1.0")).toEqual({
      isBot: 1,
      reasons: ["accept_language_missing", "http_1_0"],
    });
    expect(verdict(neither).reasons).toEqual(["accept_language_missing", "accept_missing"]);
  });
});
