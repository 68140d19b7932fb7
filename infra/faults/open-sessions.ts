import { analyticsPaths, SessionStarted } from "@pro-talent/schemas/analytics/wire";

const headers = {
  "content-type": "application/json",
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36",
  "accept-language": "en",
  "accept-encoding": "gzip",
  accept: "*/*",
};

/** Posts JSON and gives back the text of a good answer. */
export async function mustPost(url: string, path: string, body: unknown): Promise<string> {
  const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return text;
}

/** Starts a session as a visitor who has decided nothing. */
export async function openSession(url: string, anonymousId: string): Promise<string> {
  const text = await mustPost(url, analyticsPaths.sessionStart, {
    anonymousId,
    referrer: "https://www.google.com/",
    landingPage: "/drill",
    utm: {},
  });
  return SessionStarted.parse(JSON.parse(text)).sessionId;
}

/** Starts sessions of as many visitors, each of whom consents to analytics. */
export async function openConsentedSessions(url: string, visitors: number): Promise<string[]> {
  const sessions: string[] = [];
  for (let n = 0; n < visitors; n++) {
    const sessionId = await openSession(url, `drill-visitor-${n}`);
    await mustPost(url, analyticsPaths.sessionConsent, {
      sessionId,
      hasConsent: true,
      consentType: "detailed",
    });
    sessions.push(sessionId);
  }
  return sessions;
}
