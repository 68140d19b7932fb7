import { describe, expect, it } from "vitest";

import { botVerdict } from "./bot-verdict.ts";
import { userAgentFacts } from "./user-agent.ts";

const agents = {
  chromium:
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36",
  edge: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
  firefox: "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0",
  safari:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
  oldSafari:
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.3 Safari/605.1.15",
  oldFirefox: "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:89.0) Gecko/20100101 Firefox/89.0",
  oldChromium:
    "Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/79.0.3945.130 Safari/537.36",
  webView:
    "Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/141.0.0.0 Mobile Safari/537.36",
  inApp:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [LinkedInApp]/9.30.1234",
  chromeOnPhone:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0.7390.41 Mobile/15E148 Safari/604.1",
  television:
    "Mozilla/5.0 (Linux; Android 11; BRAVIA 4K VH2) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36",
} as const;

const all = { accept: "*/*", "accept-language": "en-US,en;q=0.9", "accept-encoding": "gzip, br" };
const metadata = { "sec-fetch-dest": "empty", "sec-fetch-mode": "cors" };
const hints = {
  "sec-ch-ua": '"Not_A Brand";v="8", "Chromium";v="153"',
  "sec-ch-ua-mobile": "?0",
  "sec-ch-ua-platform": '"Linux"',
};

const overTls = "https://pro-talent.example";

function verdict(agent: keyof typeof agents, sent: Record<string, string>, origin = overTls) {
  const userAgent = agents[agent];
  const headers = {
    ...all,
    "user-agent": userAgent,
    ...(origin === "" ? {} : { origin }),
    ...sent,
  };
  const facts = userAgentFacts(userAgent);
  return botVerdict({ method: "POST", httpVersion: "1.1", headers, agent: facts });
}

describe("what a browser sends over TLS", () => {
  it.each([
    ["chromium", { ...metadata, ...hints }],
    ["firefox", metadata],
    ["safari", metadata],
    ["oldSafari", {}],
    ["oldFirefox", {}],
    ["oldChromium", {}],
    ["webView", {}],
    ["inApp", {}],
    ["chromeOnPhone", {}],
    ["television", {}],
  ] as const)("is no reason against %s with what it really sends", (agent, sent) => {
    expect(verdict(agent, sent)).toEqual({ isBot: 0, reasons: [] });
  });

  it.each([
    ["chromium", hints, "fetch_metadata_missing"],
    ["firefox", {}, "fetch_metadata_missing"],
    ["safari", {}, "fetch_metadata_missing"],
    ["chromium", metadata, "client_hints_missing"],
    ["edge", { ...metadata, ...hints }, "client_hints_contradict"],
    ["firefox", { ...metadata, ...hints }, "client_hints_contradict"],
    [
      "chromium",
      { ...metadata, ...hints, "sec-ch-ua-platform": '"macOS"' },
      "client_hints_contradict",
    ],
  ] as const)("is one reason against %s with %o, and no verdict", (agent, sent, reason) => {
    expect(verdict(agent, sent)).toEqual({ isBot: 0, reasons: [reason] });
  });

  it("is a verdict when two parts are missing", () => {
    expect(verdict("chromium", {})).toEqual({
      isBot: 1,
      reasons: ["fetch_metadata_missing", "client_hints_missing"],
    });
    const { "accept-language": _language, ...rest } = all;
    const headers = { ...rest, "user-agent": agents.firefox, origin: overTls };
    const agent = userAgentFacts(agents.firefox);
    const request = { method: "POST", httpVersion: "1.1", headers, agent };
    expect(botVerdict(request).reasons).toEqual([
      "fetch_metadata_missing",
      "accept_language_missing",
    ]);
  });

  it("is not expected without TLS, which browsers leave it out of", () => {
    expect(verdict("chromium", {}, "http://localhost:3000")).toEqual({ isBot: 0, reasons: [] });
    expect(verdict("firefox", {}, "").reasons).toEqual([]);
  });
});
