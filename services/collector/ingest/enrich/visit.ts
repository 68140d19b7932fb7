import type { DeviceClass } from "@pro-talent/schemas/analytics/row";
import type { FastifyRequest } from "fastify";

import { botVerdict } from "./bot-verdict.ts";
import type { Locate } from "./location.ts";
import { userAgentFacts } from "./user-agent.ts";

/** What a request tells about a consenting visit, as columns of an event. */
export type VisitFacts = {
  browser: string;
  browser_major: number;
  os: string;
  device_class: DeviceClass;
  country: string;
  region: string;
  city: string;
  is_bot: 0 | 1;
  bot_reasons: string[];
};

/** Families and coarse places only: the address and the user agent end here. */
export function visitFacts(request: FastifyRequest, locate: Locate): VisitFacts {
  const { headers } = request;
  const agent = userAgentFacts(headers["user-agent"] ?? "");
  const { country, region, city } = locate(request.ip);
  const { isBot, reasons } = botVerdict({
    method: request.method,
    httpVersion: request.raw.httpVersion,
    headers,
  });
  return {
    browser: agent.browser,
    browser_major: agent.browserMajor,
    os: agent.os,
    device_class: agent.deviceClass,
    country,
    region,
    city,
    is_bot: isBot,
    bot_reasons: reasons,
  };
}
