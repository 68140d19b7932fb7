import type { DeviceClass } from "@pro-talent/schemas/analytics/row";
import { isbot } from "isbot";
import { LRUCache } from "lru-cache";
import { UAParser } from "ua-parser-js";

/** What is kept of a user agent: families, never the text itself. */
export type UserAgentFacts = {
  browser: string;
  browserMajor: number;
  os: string;
  deviceClass: DeviceClass;
  /** The text is on the list of known bots. */
  listed: boolean;
  /** The text names a browser that runs without a window. */
  headless: boolean;
  /** Browsers name themselves Mozilla since 1994. */
  mozilla: boolean;
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

const desktops =
  /^(?:Windows|Mac OS|Linux|Chrom(?:e|ium) OS|Ubuntu|Debian|Fedora|FreeBSD|OpenBSD)$/;

const deviceClasses: Readonly<Record<string, DeviceClass>> = {
  mobile: "mobile",
  tablet: "tablet",
  smarttv: "tv",
  console: "console",
};

function deviceClass(type: string | undefined, os: string): DeviceClass {
  if (type !== undefined) return deviceClasses[type] ?? "other";
  return desktops.test(os) ? "desktop" : "other";
}

function parse(text: string): UserAgentFacts {
  const { browser, os, device } = new UAParser(text).getResult();
  const osName = os.name ?? "";
  const major = Number.parseInt(browser.version ?? "", 10);
  return {
    browser: browser.name ?? "",
    browserMajor: major >= 0 && major <= 65_535 ? major : 0,
    os: osName,
    deviceClass: deviceClass(device.type, osName),
    listed: isbot(text),
    headless: /headless|phantomjs|slimerjs|electron\/|puppeteer|playwright|selenium/i.test(text),
    mozilla: text.startsWith("Mozilla/"),
  };
}
