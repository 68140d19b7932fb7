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
    ["https://il.search.yahoo.com/", "il.search.yahoo.com", "search"],
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
    ["android-app://com.linkedin.android/", "com.linkedin.android", "social"],
    ["android-app://com.google.android.gm/", "com.google.android.gm", "email"],
    [
      "android-app://com.google.android.googlequicksearchbox/",
      "com.google.android.googlequicksearchbox",
      "search",
    ],
    ["android-app://org.telegram.messenger", "org.telegram.messenger", "social"],
    ["android-app://com.example.jobs/https/example.com", "com.example.jobs", "referral"],
    ["https://chatgpt.com/", "chatgpt.com", "assistant"],
    ["https://www.perplexity.ai/search/x", "perplexity.ai", "assistant"],
    ["https://claude.ai/", "claude.ai", "assistant"],
    ["https://gemini.google.com/app", "gemini.google.com", "assistant"],
    ["https://copilot.microsoft.com/", "copilot.microsoft.com", "assistant"],
    ["https://chat.deepseek.com/", "chat.deepseek.com", "assistant"],
    ["android-app://com.openai.chatgpt/", "com.openai.chatgpt", "assistant"],
    ["https://yandex.com.tr/", "yandex.com.tr", "search"],
    ["https://yandex.kz/", "yandex.kz", "search"],
    ["https://search.naver.com/", "search.naver.com", "search"],
    ["https://m.baidu.com/", "m.baidu.com", "search"],
    ["https://cn.bing.com/", "cn.bing.com", "search"],
    ["https://search.seznam.cz/", "search.seznam.cz", "search"],
    ["https://docs.google.com/", "docs.google.com", "referral"],
    ["https://maps.google.com/", "maps.google.com", "referral"],
    ["https://news.yahoo.com/", "news.yahoo.com", "referral"],
    ["https://mail.yandex.ru/", "mail.yandex.ru", "email"],
    ["https://mail.walla.co.il/", "mail.walla.co.il", "email"],
    ["https://mail.proton.me/", "mail.proton.me", "email"],
    ["https://webmail.bezeqint.net/", "webmail.bezeqint.net", "email"],
    ["https://e.mail.ru/", "e.mail.ru", "email"],
    ["https://outlook.office.com/", "outlook.office.com", "email"],
    ["https://web.whatsapp.com/", "web.whatsapp.com", "social"],
    ["https://web.telegram.org/", "web.telegram.org", "social"],
    ["https://app.slack.com/", "app.slack.com", "social"],
    ["https://teams.microsoft.com/", "teams.microsoft.com", "social"],
    ["https://discord.com/", "discord.com", "social"],
    ["https://signal.org/", "signal.org", "social"],
    ["android-app://org.thoughtcrime.securesms/", "org.thoughtcrime.securesms", "social"],
    ["https://old.reddit.com/", "old.reddit.com", "social"],
    ["https://www.indeed.com/", "indeed.com", "jobs"],
    ["https://www.glassdoor.com/", "glassdoor.com", "jobs"],
    ["https://www.alljobs.co.il/", "alljobs.co.il", "jobs"],
    ["https://www.drushim.co.il/", "drushim.co.il", "jobs"],
    ["android-app://com.indeed.android.jobsearch/", "com.indeed.android.jobsearch", "jobs"],
    ["https://il.indeed.com/", "il.indeed.com", "jobs"],
    ["https://de.indeed.com/", "de.indeed.com", "jobs"],
    ["https://www.glassdoor.co.uk/", "glassdoor.co.uk", "jobs"],
    ["https://www.jobmaster.co.il/", "jobmaster.co.il", "jobs"],
    ["https://www.jobnet.co.il/", "jobnet.co.il", "jobs"],
    ["https://acme.wd3.myworkdayjobs.com/", "acme.wd3.myworkdayjobs.com", "jobs"],
    ["https://boards.greenhouse.io/", "boards.greenhouse.io", "jobs"],
    ["https://www.linkedin.com/jobs/view/123/", "linkedin.com", "jobs"],
    ["https://il.linkedin.com/jobs/search", "il.linkedin.com", "jobs"],
    ["https://www.linkedin.com/jobsearch", "linkedin.com", "social"],
    [
      "android-app://com.linkedin.android.jobs.jobseeker/",
      "com.linkedin.android.jobs.jobseeker",
      "jobs",
    ],
    ["https://www.walla.co.il/", "walla.co.il", "referral"],
    ["https://search.walla.co.il/", "search.walla.co.il", "search"],
    ["https://www.mako.co.il/", "mako.co.il", "referral"],
    ["https://www.google.com.br/", "google.com.br", "search"],
    ["https://www.google.com.tr/", "google.com.tr", "search"],
    ["https://images.google.co.uk/", "images.google.co.uk", "search"],
    ["https://r.search.yahoo.com/", "r.search.yahoo.com", "search"],
    ["https://yandex.ru/", "yandex.ru", "search"],
    ["https://ya.ru/", "ya.ru", "search"],
    ["https://www.baidu.com/", "baidu.com", "search"],
    ["https://m.search.naver.com/", "m.search.naver.com", "search"],
    ["https://www.seznam.cz/", "seznam.cz", "search"],
    ["https://www.qwant.com/", "qwant.com", "search"],
    ["https://www.ecosia.org/", "ecosia.org", "search"],
    ["https://www.startpage.com/", "startpage.com", "search"],
    ["https://www.pinterest.co.uk/", "pinterest.co.uk", "social"],
    ["https://mastodon.cloud/", "mastodon.cloud", "social"],
    ["https://t.me/channel", "t.me", "social"],
    ["https://wa.me/972500000000", "wa.me", "social"],
    ["https://googleads.g.doubleclick.net/", "googleads.g.doubleclick.net", "paid"],
    ["android-app://m.facebook.com/", "m.facebook.com", "social"],
    ["https://notchatgpt.com/", "notchatgpt.com", "referral"],
    ["https://mychatgpt.community/", "mychatgpt.community", "referral"],
    ["https://linkedin.com.example.org/", "linkedin.com.example.org", "referral"],
    ["android-app://", "", "direct"],
    ["android-app://203.0.113.9/x", "", "direct"],
    ["http://203.0.113.9/x", "", "direct"],
    ["http://[2001:db8::1]/x", "", "direct"],
    ["not a url", "", "direct"],
    ["https://שלום.example/", "xn--9dbne9b.example", "referral"],
  ])("from %s is domain %s, channel %s", (referrer, referrerDomain, channel) => {
    expect(arrive(referrer)).toMatchObject({ referrerDomain, channel });
  });

  it.each([
    [
      "search",
      "encrypted.google.com html.duckduckgo.com eu.startpage.com uk.ask.com ya.ru yandex.com.tr",
    ],
    [
      "search",
      "search.xfinity.com suche.gmx.net szukaj.onet.pl buscador.terra.es search.avast.com",
    ],
    [
      "search",
      "google.co.il google.com.br m.baidu.com search.naver.com search.seznam.cz qwant.com",
    ],
    [
      "email",
      "mail.walla.co.il webmail.netvision.net.il us-mg5.mail.yahoo.com poczta.wp.pl mailchi.mp",
    ],
    ["referral", "walla.co.il mako.co.il news.google.com maps.google.co.il research.example.org"],
    ["referral", "jobsearch.example.org mail.ru yandex.example.org searching.example.org"],
  ])("is %s from each of %s", (channel, hosts) => {
    for (const host of hosts.split(" "))
      expect([host, arrive(`https://${host}/`).channel]).toEqual([host, channel]);
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
    [{ source: "chatgpt.com" }, "assistant"],
    [{ source: "perplexity" }, "assistant"],
    [{ medium: "cpc", source: "chatgpt.com" }, "paid"],
    [{ medium: "job-board", source: "acme" }, "jobs"],
    [{ source: "indeed" }, "jobs"],
    [{ source: "alljobs.co.il" }, "jobs"],
    [{ source: "partner-site" }, "referral"],
    [{ medium: "unheard-of" }, "search"],
  ])("with campaign %o is channel %s", (utm, channel) => {
    expect(arrive("https://www.google.com/", utm).channel).toBe(channel);
  });

  it("keeps the domain, without what identifies a person in it", () => {
    const referrer = (host: string) => arrive(`https://${host}/`).referrerDomain;
    expect(referrer("050-1234567.example.org")).toBe("[phone].example.org");
    expect(referrer("203.0.113.9.example.org")).toBe("[ip].example.org");
    expect(referrer("пример-страницы.рф")).toBe("xn----8sbnldukkjdbln4d1d.xn--p1ai");
  });

  it("keeps the campaign, with e-mail addresses redacted", () => {
    const utm = { source: "s", medium: "m", campaign: "jane@example.org", term: "t", content: "c" };
    expect(arrive(null, utm)).toMatchObject({
      utmSource: "s",
      utmMedium: "m",
      utmCampaign: "[email]",
      utmTerm: "t",
      utmContent: "c",
    });
  });

  it("cuts the longest tags of a campaign that would not fit into a session id", () => {
    const long = "ש".repeat(256);
    const utm = { source: "mail", medium: long, campaign: long, term: long, content: long };
    const { utmSource, utmMedium, utmCampaign, utmTerm, utmContent } = arrive(null, utm);
    const bytes = Buffer.byteLength(utmMedium + utmCampaign + utmTerm + utmContent);
    expect(utmSource).toBe("mail");
    expect(bytes).toBeGreaterThan(1_580);
    expect(bytes).toBeLessThanOrEqual(1_596);
  });
});
