import type { IncomingHttpHeaders } from "node:http";

import type { EventRow } from "@pro-talent/schemas/analytics/row";
import { ClientHeaders } from "@pro-talent/schemas/analytics/wire";
import type { FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";

import { botVerdict } from "./bot-verdict.ts";
import { hintedDeviceClass } from "./device-class.ts";
import type { Locate } from "./location.ts";
import { userAgentFacts } from "./user-agent.ts";

/** The columns of an event that come from its request: families and coarse places. */
export type VisitFacts = Pick<
  EventRow,
  | "browser"
  | "browser_major"
  | "os"
  | "device_class"
  | "country"
  | "region"
  | "city"
  | "is_bot"
  | "bot_reasons"
>;

/** The columns of an event that come from the device headers (specification §7). */
export type DeviceFacts = Pick<
  EventRow,
  | "screen"
  | "viewport"
  | "timezone"
  | "color_depth"
  | "pixel_ratio"
  | "device_memory"
  | "connection_type"
  | "page_language"
  | "browser_language"
>;

/** The address and the user agent of the request are not kept. */
export function visitFacts(request: FastifyRequest, locate: Locate): VisitFacts {
  const { headers } = request;
  const agent = userAgentFacts(headers["user-agent"] ?? "");
  const { isBot, reasons } = botVerdict({
    method: request.method,
    httpVersion: request.raw.httpVersion,
    headers,
    agent,
  });
  return {
    browser: agent.browser,
    browser_major: agent.browserMajor,
    os: agent.os,
    device_class: hintedDeviceClass(agent.deviceClass, headers),
    ...locate(request.ip),
    is_bot: isBot,
    bot_reasons: reasons,
  };
}

/** Of an event that a server reports: its request is not the visitor's. */
export const unknownVisit: VisitFacts = {
  browser: "",
  browser_major: 0,
  os: "",
  device_class: "",
  country: "",
  region: "",
  city: "",
  is_bot: 0,
  bot_reasons: [],
};

/** Only the start of a visit session has device headers. */
export const unknownDevice: DeviceFacts = {
  screen: "",
  viewport: "",
  timezone: "",
  color_depth: 0,
  pixel_ratio: 0,
  device_memory: 0,
  connection_type: "",
};

/** Reads the device headers; each one that is missing or unusable is left out alone. */
export function deviceFacts(headers: IncomingHttpHeaders): DeviceFacts {
  const stated = ClientHeaders.parse(headers);
  return {
    screen: stated["x-screen-resolution"] ?? "",
    viewport: stated["x-viewport"] ?? "",
    timezone: timeZoneOf(stated["x-timezone"]),
    color_depth: Number(stated["x-color-depth"] ?? 0),
    pixel_ratio: Number(stated["x-pixel-ratio"] ?? 0),
    device_memory: Number(stated["x-device-memory"] ?? 0),
    connection_type: stated["x-connection-type"] ?? "",
    page_language: stated["x-page-language"],
    browser_language: browserLanguage(headers["accept-language"]),
  };
}

const timeZones = new LRUCache<string, boolean>({ max: 1_000 });

/** A name of the tz database (with its former names), so that no other text is stored as one. */
function timeZoneOf(stated: string | undefined): string {
  if (stated === undefined || !/^[A-Z]/i.test(stated)) return "";
  const known = timeZones.get(stated) ?? isTimeZone(stated);
  timeZones.set(stated, known);
  return known ? stated : "";
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/**
 * The first language that a browser asks for (`Accept-Language`, RFC 9110 §12.5.4), in lower case with
 * its region, if it has one, in upper case (RFC 5646 §2.1.1): `he`, `en-US`. Scripts, variants and
 * extensions, which single out the few who set them, are left out.
 */
function browserLanguage(header: string | undefined): string | undefined {
  const tag = header?.split(",", 1)[0]?.split(";", 1)[0]?.trim() ?? "";
  const [language = "", ...parts] = tag.split("-");
  if (!/^[a-z]{2,3}$/i.test(language)) return undefined;
  const extension = parts.findIndex((part) => part.length === 1);
  const own = extension === -1 ? parts : parts.slice(0, extension);
  const region = own.find((part) => /^(?:[a-z]{2}|\d{3})$/i.test(part));
  const code = language.toLowerCase() === "iw" ? "he" : language.toLowerCase();
  return region === undefined ? code : `${code}-${region.toUpperCase()}`;
}
