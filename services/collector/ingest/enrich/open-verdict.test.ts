import { describe, expect, it } from "vitest";

import { openVerdict } from "./open-verdict.ts";
import { measureOpens } from "./testing/measure-opens.ts";
import { navigationHeaders } from "./testing/opens-corpus.ts";
import { userAgentFacts } from "./user-agent.ts";

const chrome =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";

function exclusionOf(
  headers: Readonly<Record<string, string>>,
  isSecure = true,
  httpVersion = "1.1",
) {
  const agent = userAgentFacts(headers["user-agent"] ?? "");
  return openVerdict({ method: "GET", httpVersion, headers, agent, isSecure }).exclusion;
}

describe("whether a request for a link is a person's", () => {
  it("is recognised in a labelled corpus of published agents and headers", () => {
    const { requests, precision, recall } = measureOpens();
    expect(requests).toBeGreaterThan(1_500);
    expect(precision).toBeGreaterThanOrEqual(0.995);
    expect(recall).toBeGreaterThanOrEqual(0.98);
  });

  it("over TLS a browser sends what its version is known to send; without TLS it cannot", () => {
    const { accept = "", "accept-language": languages = "" } = navigationHeaders(chrome);
    const plain = {
      "user-agent": chrome,
      accept,
      "accept-language": languages,
      "accept-encoding": "gzip",
    };
    expect(exclusionOf(navigationHeaders(chrome))).toBe("");
    expect(exclusionOf(plain)).toBe("automation");
    expect(exclusionOf(plain, false)).toBe("");
  });

  it("hints that contradict the agent are those of a program", () => {
    const headers = { ...navigationHeaders(chrome), "sec-ch-ua-platform": '"Android"' };
    expect(exclusionOf(headers, true, "1.0")).toBe("automation");
    expect(exclusionOf(headers)).toBe("");
  });
});
