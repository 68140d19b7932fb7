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
    expect(verdict(noLanguage)).toEqual({ isBot: 0, reasons: [] });
    expect(verdict(person, "POST", "1.0")).toEqual({ isBot: 0, reasons: [] });
    expect(verdict(noLanguage, "POST", "1.0")).toEqual({
      isBot: 1,
      reasons: ["accept_language_missing", "http_1_0"],
    });
    expect(verdict(neither).reasons).toEqual(["accept_language_missing", "accept_missing"]);
  });
});
