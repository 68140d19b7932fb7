import type { DeviceClass } from "@pro-talent/schemas/analytics/row";
import { LRUCache } from "lru-cache";
import { UAParser } from "ua-parser-js";

import { type AgentReason, agentReasons } from "./agent-text.ts";
import { deviceClassOf } from "./device-class.ts";
import { type ExpectedHeaders, expectedHeaders } from "./expected-headers.ts";

/** What is kept of a user agent: families, never the text itself. */
export type UserAgentFacts = {
  browser: string;
  browserMajor: number;
  os: string;
  deviceClass: DeviceClass;
  /** Why the text is a machine's; none for a browser. */
  automated: readonly AgentReason[];
  /** Browsers name themselves Mozilla since 1994. */
  mozilla: boolean;
  expected: ExpectedHeaders;
};

/** The parser reads no more than this; cut here too, so that the lists match no more either. */
const charsMax = 500;
const remembered = new LRUCache<string, UserAgentFacts>({ max: 5_000 });

/** Families of a user agent text. Texts and results are kept in memory only. */
export function userAgentFacts(userAgent: string): UserAgentFacts {
  const text = userAgent.slice(0, charsMax);
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const facts = parse(text);
  remembered.set(text, facts);
  return facts;
}

function parse(text: string): UserAgentFacts {
  const parser = new UAParser(text);
  const [browser, os, device] = [parser.getBrowser(), parser.getOS(), parser.getDevice()];
  const osName = os.name ?? "";
  const major = Number.parseInt(browser.version ?? "", 10);
  return {
    browser: browser.name ?? "",
    browserMajor: major >= 0 && major <= 65_535 ? major : 0,
    os: osName,
    deviceClass: deviceClassOf(text, device.type, osName),
    automated: agentReasons(text),
    mozilla: text.startsWith("Mozilla/"),
    expected: expectedHeaders(text),
  };
}
