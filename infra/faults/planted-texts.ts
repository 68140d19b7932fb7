import { analyticsPaths, SessionStarted } from "@pro-talent/schemas/analytics/wire";

import { createChance } from "../quality/scrub/chance.ts";
import { kinds } from "../quality/scrub/generated-texts.ts";
import { mustPost, post } from "./visits.ts";

/** One value of each form of each kind of personal data and secret; the same ones in every run. */
export function plantedValues(): string[] {
  const chance = createChance(1);
  return Object.values(kinds).flatMap((forms) => Object.values(forms).map((make) => make(chance)));
}

/**
 * Sends a value in every field and header of every analytics call that takes text: with consent,
 * without it, in a request that is refused, and in the address of one.
 */
export async function plantText(url: string, value: string): Promise<void> {
  const path = `/u/${encodeURIComponent(value)}`;
  const page = `${path}?q=${encodeURIComponent(value)}#${encodeURIComponent(value)}`;
  const text = `Hello ${value}`;
  const utm = { source: value, medium: text, campaign: text, term: value, content: text };
  const host = /^[a-z\d.-]{1,200}$/i.test(value) ? value : "www";
  const referrer = `https://${host}.example.org${page}`;
  const headers = headersWith(value);
  const eventType = /^[A-Za-z\d_.:-]{1,64}$/.test(value) ? value : "drill";
  for (const consenting of [true, false]) {
    const started = await mustPost(
      url + analyticsPaths.sessionStart,
      {
        referrer,
        landingPage: page,
        utm,
      },
      headers,
    );
    const { sessionId } = SessionStarted.parse(JSON.parse(started));
    const consent = { sessionId, hasConsent: true, consentType: "detailed" };
    if (consenting) await mustPost(url + analyticsPaths.sessionConsent, consent);
    await mustPost(url + analyticsPaths.trackPageView, { sessionId, page, title: text, referrer });
    const labels = { element: text, category: value, elementId: value, elementClass: text };
    await mustPost(url + analyticsPaths.trackClick, { sessionId, page, ...labels });
    const eventData = {
      value,
      list: [text, { deep: value }],
      [value.slice(0, 64)]: 1,
      encoded: `${encodeURIComponent(value)} ${encodeURIComponent(encodeURIComponent(value))}`,
      json: JSON.stringify({ value }),
      ...(/^\d{8,15}$/.test(value) && { contact: Number(value) }),
    };
    await mustPost(url + analyticsPaths.trackEvent, { sessionId, eventType, eventData });
    await mustPost(url + analyticsPaths.sessionEnd, { sessionId, exitPage: page });
  }
  const refused = JSON.stringify({ sessionId: text, page: 1, title: value });
  await post(`${url}${analyticsPaths.trackPageView}?q=${encodeURIComponent(value)}`, refused);
  await post(`${url}${path}`, `{"broken": ${JSON.stringify(value)}`);
}

/** Headers that a browser sends, and others that a program could: none may be stored as it is. */
function headersWith(value: string): Record<string, string> {
  const text = encodeURIComponent(value);
  const plain = /^[\x21-\x7e]+$/.test(value) ? value : text;
  return {
    "user-agent": `Mozilla/5.0 (${text}) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36`,
    "accept-language": `en;${text}`,
    referer: `https://example.org/${text}`,
    cookie: `value=${text}`,
    "x-request-id": plain,
    "x-timezone": plain,
    "x-connection-type": plain.toLowerCase(),
    "x-screen-resolution": plain,
  };
}
