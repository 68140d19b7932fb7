import type { IncomingHttpHeaders } from "node:http";

import type { EventRow } from "@pro-talent/schemas/analytics/row";
import { ClientHeaders } from "@pro-talent/schemas/analytics/wire";
import type { FastifyRequest } from "fastify";

import { botVerdict } from "./bot-verdict.ts";
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
    device_class: agent.deviceClass,
    ...locate(request.ip),
    is_bot: isBot,
    bot_reasons: reasons,
  };
}

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
    timezone: stated["x-timezone"] ?? "",
    color_depth: Number(stated["x-color-depth"] ?? 0),
    pixel_ratio: Number(stated["x-pixel-ratio"] ?? 0),
    device_memory: Number(stated["x-device-memory"] ?? 0),
    connection_type: stated["x-connection-type"] ?? "",
  };
}
