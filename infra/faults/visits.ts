import { analyticsPaths, SessionStarted } from "@pro-talent/schemas/analytics/wire";
import { v7 as uuidV7 } from "uuid";

import type { NextRequest } from "../bench/load.ts";
import { plantedAddress } from "./address-scan.ts";

const browsers = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:142.0) Gecko/20100101 Firefox/142.0",
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36",
];

/** What the browser of a visitor sends with JSON. */
export function headersOf(visitor: number): Record<string, string> {
  return {
    "content-type": "application/json",
    accept: "*/*",
    "accept-encoding": "gzip, br",
    "accept-language": "he,en;q=0.8",
    "user-agent": browsers[visitor % browsers.length] ?? "",
  };
}

/** An address of its own for each visitor, of no cloud. */
const privateAddress = (n: number): string => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

/** What the browser of a visitor sends when a person follows a link. */
export function openHeaders(
  visitor: number,
  address: string = privateAddress(visitor),
): Record<string, string> {
  const { "content-type": _none, ...headers } = headersOf(visitor);
  return { ...headers, accept: "text/html,*/*;q=0.8", "x-forwarded-for": address };
}

/** Posts JSON; undefined when no answer came within ten seconds. */
export async function post(
  url: string,
  body: string,
  more: Readonly<Record<string, string>> = {},
): Promise<{ status: number; text: string } | undefined> {
  const signal = AbortSignal.timeout(10_000);
  const headers = { ...headersOf(0), ...more };
  try {
    const answer = await fetch(url, { method: "POST", headers, body, signal });
    return { status: answer.status, text: await answer.text() };
  } catch {
    return undefined;
  }
}

/** Posts JSON and returns the text of the answer. @throws when it is an error */
export async function mustPost(
  url: string,
  body: object,
  headers?: Readonly<Record<string, string>>,
): Promise<string> {
  const answer = await post(url, JSON.stringify(body), headers);
  if (answer === undefined || answer.status >= 300) {
    throw new Error(`${url} answered ${answer?.status ?? "nothing"}: ${answer?.text ?? ""}`);
  }
  return answer.text;
}

/** Starts a visit session of a visitor who has not decided about analytics. @returns its id */
export async function startVisit(url: string, anonymousId: string): Promise<string> {
  const text = await mustPost(url + analyticsPaths.sessionStart, {
    anonymousId,
    referrer: "https://www.google.com/",
    landingPage: "/drill",
    utm: {},
  });
  return SessionStarted.parse(JSON.parse(text)).sessionId;
}

/** Starts visit sessions of as many visitors, who all consent to analytics. @returns their ids */
export async function startConsentedVisits(url: string, visitors: number): Promise<string[]> {
  const sessions: string[] = [];
  for (let n = 0; n < visitors; n++) {
    const sessionId = await startVisit(url, `drill-visitor-${n}`);
    await mustPost(url + analyticsPaths.sessionConsent, {
      sessionId,
      hasConsent: true,
      consentType: "detailed",
    });
    sessions.push(sessionId);
  }
  return sessions;
}

/**
 * Page views of these visit sessions in turn, each visitor with one browser.
 * @param addressOf the client address of the n-th page view; one for each visitor when left out
 */
export function pageViews(
  sessions: readonly string[],
  addressOf: (n: number) => string = (n) => plantedAddress(n % sessions.length),
): NextRequest {
  let sent = 0;
  return () => {
    const n = sent++;
    const visitor = n % sessions.length;
    return {
      path: analyticsPaths.trackPageView,
      body: JSON.stringify({
        sessionId: sessions[visitor],
        page: `/articles/${n % 50}`,
        title: "What is an applicant tracking system?",
        referrer: "https://www.example.org/",
        eventId: uuidV7(),
      }),
      headers: { ...headersOf(visitor), "x-forwarded-for": addressOf(n) },
    };
  };
}
