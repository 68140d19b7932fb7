import type { IncomingHttpHeaders } from "node:http";

import type { UserAgentFacts } from "./user-agent.ts";

/** What a verdict is based on; not body and address. */
export type RequestTraits = {
  method: string;
  httpVersion: string;
  headers: IncomingHttpHeaders;
  /** Of the user agent header. */
  agent: UserAgentFacts;
};

export type BotVerdict = { isBot: 0 | 1; reasons: string[] };

/** One of these is enough: no person's browser sends such a request. */
export type StrongReason =
  | "user_agent_missing"
  | "user_agent_listed"
  | "headless"
  | "method_head"
  | "prefetch";

/** Each of these applies to people too (old proxies, privacy tools); two together do not. */
export type WeakReason =
  | "user_agent_odd"
  | "accept_language_missing"
  | "accept_missing"
  | "accept_encoding_missing"
  | "http_1_0";

const human: BotVerdict = { isBot: 0, reasons: [] };

function announcesPrefetch(headers: IncomingHttpHeaders): boolean {
  const purpose = headers["sec-purpose"] ?? headers["purpose"] ?? headers["x-purpose"];
  const mozilla = headers["x-moz"];
  if (purpose === undefined && mozilla === undefined) return false;
  return /prefetch|prerender|preview/i.test(`${String(purpose)} ${String(mozilla)}`);
}

function strongReasons({ method, headers, agent }: RequestTraits): StrongReason[] {
  const reasons: StrongReason[] = [];
  if (!headers["user-agent"]) {
    reasons.push("user_agent_missing");
  } else {
    if (agent.listed) reasons.push("user_agent_listed");
    if (agent.headless || isHeadlessHint(headers["sec-ch-ua"])) reasons.push("headless");
  }
  if (method === "HEAD") reasons.push("method_head");
  if (announcesPrefetch(headers)) reasons.push("prefetch");
  return reasons;
}

function isHeadlessHint(brands: string | string[] | undefined): boolean {
  return brands !== undefined && String(brands).includes("Headless");
}

function weakReasons({ httpVersion, headers, agent }: RequestTraits): WeakReason[] {
  const reasons: WeakReason[] = [];
  if (headers["user-agent"] && !agent.mozilla) reasons.push("user_agent_odd");
  if (headers["accept-language"] === undefined) reasons.push("accept_language_missing");
  if (headers.accept === undefined) reasons.push("accept_missing");
  if (headers["accept-encoding"] === undefined) reasons.push("accept_encoding_missing");
  if (httpVersion === "1.0") reasons.push("http_1_0");
  return reasons;
}

/**
 * Whether a request was automated, and why. Bots are marked, never dropped, so that analysts see how
 * many were excluded. A person's request has no reasons.
 */
export function botVerdict(request: RequestTraits): BotVerdict {
  const strong = strongReasons(request);
  const weak = weakReasons(request);
  if (strong.length === 0 && weak.length < 2) return human;
  return { isBot: 1, reasons: [...strong, ...weak] };
}
