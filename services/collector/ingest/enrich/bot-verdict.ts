import type { IncomingHttpHeaders } from "node:http";

import type { AgentReason } from "./agent-text.ts";
import { contradictsHints } from "./expected-headers.ts";
import type { UserAgentFacts } from "./user-agent.ts";

/** What a verdict is based on; not body and address. */
export type RequestTraits = {
  method: string;
  httpVersion: string;
  headers: IncomingHttpHeaders;
  /** Of the user agent header. */
  agent: UserAgentFacts;
  /** It came over TLS, also where it does not name its origin: as a page is asked for. */
  isSecure?: boolean;
};

export type BotVerdict = { isBot: 0 | 1; reasons: string[] };

/** One of these is enough: no person's browser sends such a request. */
export type StrongReason =
  | AgentReason
  | "user_agent_missing"
  | "automation_stated"
  | "method_head"
  | "prefetch";

/**
 * Each of these applies to people too (old proxies, privacy tools); two together do not. What a
 * browser is known to send is missed only over TLS and in browsers that send it (`expected-headers.ts`).
 */
export type WeakReason =
  | "user_agent_odd"
  | "accept_language_missing"
  | "accept_missing"
  | "accept_encoding_missing"
  | "fetch_metadata_missing"
  | "client_hints_missing"
  | "client_hints_contradict"
  | "http_1_0";

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
    reasons.push(...agent.automated);
    if (!reasons.includes("headless") && isHeadlessHint(headers["sec-ch-ua"]))
      reasons.push("headless");
  }
  if (headers["x-automation"] === "1") reasons.push("automation_stated");
  if (method === "HEAD") reasons.push("method_head");
  if (announcesPrefetch(headers)) reasons.push("prefetch");
  return reasons;
}

function isHeadlessHint(brands: string | string[] | undefined): boolean {
  return brands !== undefined && String(brands).includes("Headless");
}

/** What the browser of the user agent sends with every request, and this one lacks or contradicts. */
function unlikeItsBrowser({ headers, agent, isSecure = false }: RequestTraits): WeakReason[] {
  // Without TLS browsers leave these headers out. Every browser names the origin of a POST.
  if (!isSecure && headers.origin?.startsWith("https:") !== true) return [];
  // Programs of televisions and consoles have the agents of browsers that they are not.
  if (agent.deviceClass === "tv" || agent.deviceClass === "console") return [];
  const reasons: WeakReason[] = [];
  const { fetchMetadata, clientHints } = agent.expected;
  if (fetchMetadata && headers["sec-fetch-mode"] === undefined && !headers["sec-fetch-site"])
    reasons.push("fetch_metadata_missing");
  if (clientHints && headers["sec-ch-ua"] === undefined) reasons.push("client_hints_missing");
  if (contradictsHints(headers, agent.expected)) reasons.push("client_hints_contradict");
  return reasons;
}

function weakReasons(request: RequestTraits): WeakReason[] {
  const { httpVersion, headers, agent } = request;
  const reasons: WeakReason[] = unlikeItsBrowser(request);
  if (headers["user-agent"] && !agent.mozilla) reasons.push("user_agent_odd");
  if (headers["accept-language"] === undefined) reasons.push("accept_language_missing");
  if (headers.accept === undefined) reasons.push("accept_missing");
  if (headers["accept-encoding"] === undefined) reasons.push("accept_encoding_missing");
  if (httpVersion === "1.0") reasons.push("http_1_0");
  return reasons;
}

/**
 * Whether a request was automated, and why. Bots are marked, never dropped, so that analysts see how
 * many were excluded. One weak reason is kept with a person's request.
 */
export function botVerdict(request: RequestTraits): BotVerdict {
  const strong = strongReasons(request);
  const weak = weakReasons(request);
  return { isBot: strong.length > 0 || weak.length > 1 ? 1 : 0, reasons: [...strong, ...weak] };
}
