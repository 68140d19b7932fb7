import { analyticsPaths as paths } from "@pro-talent/schemas/analytics/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  type CollectorsAndLedger,
  startCollectorsAndLedger,
} from "./testing/collectors-and-ledger.ts";

let product: CollectorsAndLedger;
beforeAll(async () => {
  product = await startCollectorsAndLedger();
});
afterAll(() => product.stop());

const accept = { hasConsent: true, consentType: "detailed" };

async function visit(start: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
  const collector = await product.another();
  const { sessionId } = await collector.start(start, headers);
  await collector.consent(sessionId, accept, headers);
  /** The row of a report, or the status with which it was refused. */
  const stored = async (path: string, body: Record<string, unknown>) => {
    const { status } = await collector.post(path, { sessionId, ...body });
    return status === 202 ? (await collector.spooled()).events.at(-1) : status;
  };
  return { collector, sessionId, stored };
}

const event = (eventType: string, eventData: unknown, page = "/pricing") => ({
  eventType,
  eventData,
  page,
});
const pageView = "0190f3a2-7c11-7b7e-9a55-2f6f3b1d8c44";

describe("an event with a reserved name", () => {
  it("measures the use of a page within bounds, and is no custom event", async () => {
    const { stored } = await visit();
    const sent = async (eventData: object) =>
      stored(paths.trackEvent, event("page_engagement", eventData));
    expect(await sent({ engagedMs: 12_345.6, scrollDepth: 62.4, pageView })).toMatchObject({
      kind: "measurement",
      event_type: "page_engagement",
      page: "/pricing",
      event_data: JSON.stringify({ engagedMs: 12_346, scrollDepth: 62, pageView }),
    });
    expect(
      await sent({ engagedMs: 10 ** 12, scrollDepth: 900, pageView: "me@example.org" }),
    ).toMatchObject({
      event_data: JSON.stringify({ engagedMs: 86_400_000, scrollDepth: 100, pageView: null }),
    });
    expect(await sent({ engagedMs: -5, scrollDepth: -1, name: "Jane" })).toMatchObject({
      event_data: JSON.stringify({ engagedMs: 0, scrollDepth: 0, pageView: null }),
    });
    expect(await sent({ scrollDepth: 10 })).toBe(422);
  });

  it("measures the speed of a page", async () => {
    const { stored } = await visit();
    const lcp = { name: "LCP", value: 1234.5, rating: "good" };
    expect(await stored(paths.trackEvent, event("web_vital", lcp))).toMatchObject({
      kind: "measurement",
      event_data: JSON.stringify(lcp),
    });
    expect(await stored(paths.trackEvent, event("web_vital", { ...lcp, name: "FPS" }))).toBe(422);
  });

  it.each([
    ["outbound_link", { domain: "docs.example.org" }, { domain: "docs.example.org" }],
    [
      "outbound_link",
      { domain: "https://Jane:pw@www.example.org:8443/u/jane?token=1#me" },
      { domain: "example.org" },
    ],
    ["outbound_link", { domain: "http://192.0.2.7/admin" }, { domain: "" }],
    [
      "file_download",
      { path: "/files/guide.PDF?x=1" },
      { path: "/files/guide.pdf", extension: "pdf" },
    ],
    ["file_download", { path: "/cv/jane@example.org.pdf" }, { path: "/cv/:id", extension: "" }],
    ["contact_link", { kind: "mailto", address: "jane@example.org" }, { kind: "mailto" }],
  ])("%s of %j keeps %j alone", async (eventType, eventData, kept) => {
    const { stored } = await visit();
    const row = await stored(paths.trackEvent, event(eventType, eventData));
    expect(row).toMatchObject({ kind: "custom", event_type: eventType });
    expect(row).toMatchObject({ event_data: JSON.stringify(kept) });
  });
});

describe("a view of a page that does not exist", () => {
  it("is marked, and its path loses what names a person", async () => {
    const { stored } = await visit();
    const page = "/unsubscribe/jane@example.org";
    const row = await stored(paths.trackPageView, { page, notFound: true });
    expect(row).toMatchObject({ not_found: 1, page: "/unsubscribe/:redacted" });
    expect(await stored(paths.trackPageView, { page: "/" })).not.toHaveProperty("not_found");
  });
});

describe("the languages of a session", () => {
  it.each([
    ["he", "he-IL,he;q=0.9,en;q=0.8", "he-IL"],
    ["en", "en-us", "en-US"],
    ["en", "zh-Hant-TW-x-private", "zh-TW"],
    ["en", "es-419;q=0.9", "es-419"],
    ["he", "iw", "he"],
    ["en", "*", undefined],
    ["en", "sl-rozaj-biske-1994", "sl"],
    ["fr", "jane@example.org", undefined],
  ])("are that of the page, %s, and the first of %s", async (page, header, browser) => {
    const headers = { "x-page-language": page, "accept-language": header };
    const { collector } = await visit({}, headers);
    const [start] = (await collector.spooled()).events;
    expect(start?.browser_language).toBe(browser);
    expect(start?.page_language).toBe(page === "fr" ? undefined : page);
  });
});

describe("click ids of advertisers", () => {
  const names = [
    "gclid",
    "gbraid",
    "wbraid",
    "dclid",
    "fbclid",
    "msclkid",
    "ttclid",
    "twclid",
    "li_fat_id",
    "yclid",
    "igshid",
    "mc_eid",
    "_hsenc",
    "ScCid",
  ];
  const value = "IwAR0x7Zq-Canary_3bK9";
  const query = names.map((name) => `${name}=${value}`).join("&");

  it("are in nothing that is stored, wherever a client repeats its address", async () => {
    const { collector, sessionId, stored } = await visit({
      landingPage: `/pricing?${query}`,
      referrer: `https://www.google.com/aclk?${query}`,
      utm: { source: "google", medium: "cpc", campaign: "spring", term: null, content: null },
    });
    const page = `https://pro-talent.example/about?${query}#${query}`;
    await stored(paths.trackPageView, { page, referrer: `https://l.facebook.com/l.php?${query}` });
    await stored(paths.trackPageView, { page: `/${query}`, referrer: `/pricing?${query}` });
    await stored(paths.trackClick, { page, element: "plan" });
    await stored(
      paths.trackEvent,
      event("outbound_link", { domain: `https://example.org/?${query}` }, page),
    );
    await stored(paths.trackEvent, event("file_download", { path: `/guide.pdf?${query}` }, page));
    await stored(paths.sessionEnd, { exitPage: page });
    const text = await collector.spoolText();
    expect(text).not.toContain("Canary");
    expect(text.toLowerCase()).not.toContain(value.toLowerCase());
    expect(sessionId).not.toContain(value);
    const [start] = (await collector.spooled()).events;
    expect(start).toMatchObject({ channel: "paid", utm_source: "google", entry_page: "/pricing" });
  });
});
