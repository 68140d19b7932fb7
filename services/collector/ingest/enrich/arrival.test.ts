import { describe, expect, it } from "vitest";

import { arrivalOf } from "./arrival.ts";

const arrive = (referrer: string | null, utm: Record<string, string> = {}) =>
  arrivalOf({ anonymousId: null, referrer, landingPage: "/", utm }, "www.pro-talent.example:443");

describe("the arrival of a visitor", () => {
  it.each([
    [null, "", "direct"],
    ["", "", "direct"],
    ["https://www.google.com/", "google.com", "search"],
    ["https://www.google.co.il/search?q=cv", "google.co.il", "search"],
    ["https://duckduckgo.com/", "duckduckgo.com", "search"],
    ["https://search.brave.com/x", "search.brave.com", "search"],
    ["https://il.search.yahoo.com/", "il.search.yahoo.com", "referral"],
    ["https://mail.google.com/mail/u/0", "mail.google.com", "email"],
    ["https://outlook.live.com/", "outlook.live.com", "email"],
    ["https://l.facebook.com/l.php?u=x", "l.facebook.com", "social"],
    ["https://www.linkedin.com/feed", "linkedin.com", "social"],
    ["https://t.co/abc", "t.co", "social"],
    ["https://lnkd.in/abc", "lnkd.in", "social"],
    ["https://pro-talent.example/about", "pro-talent.example", "internal"],
    ["https://www.pro-talent.example/about", "pro-talent.example", "internal"],
    ["https://blog.example.org/post", "blog.example.org", "referral"],
    ["https://notgoogle.com/", "notgoogle.com", "referral"],
    ["android-app://com.linkedin.android/", "", "direct"],
    ["http://203.0.113.9/x", "", "direct"],
    ["http://[2001:db8::1]/x", "", "direct"],
    ["not a url", "", "direct"],
    ["https://שלום.example/", "xn--9dbne9b.example", "referral"],
  ])("from %s is domain %s, channel %s", (referrer, referrerDomain, channel) => {
    expect(arrive(referrer)).toMatchObject({ referrerDomain, channel });
  });

  it.each([
    [{ medium: "cpc", source: "google" }, "paid"],
    [{ medium: "paid_social", source: "facebook" }, "paid"],
    [{ medium: "Email" }, "email"],
    [{ medium: "social" }, "social"],
    [{ medium: "organic" }, "search"],
    [{ source: "newsletter" }, "email"],
    [{ source: "linkedin" }, "social"],
    [{ source: "google" }, "search"],
    [{ source: "t.co" }, "social"],
    [{ source: "partner-site" }, "referral"],
    [{ medium: "unheard-of" }, "search"],
  ])("with campaign %o is channel %s", (utm, channel) => {
    expect(arrive("https://www.google.com/", utm).channel).toBe(channel);
  });

  it("keeps the campaign, with e-mail addresses redacted", () => {
    const utm = { source: "s", medium: "m", campaign: "jane@example.org", term: "t", content: "c" };
    expect(arrive(null, utm)).toMatchObject({
      utmSource: "s",
      utmMedium: "m",
      utmCampaign: ":redacted",
      utmTerm: "t",
      utmContent: "c",
    });
  });

  it("refuses a campaign that would not fit into a session id", () => {
    const long = "ש".repeat(256);
    const utm = { source: long, medium: long, campaign: long, term: long, content: "" };
    expect(() => arrive(null, utm)).toThrow("invalid_body");
  });
});
