import { noVisitor } from "@pro-talent/schemas/links/opens";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { navigationHeaders } from "./ingest/enrich/testing/opens-corpus.ts";
import type { Portfolio, Portfolios } from "./links/portfolios.ts";
import { browserHeaders } from "./testing/collector-under-test.ts";
import {
  type CollectorsAndLedger,
  startCollectorsAndLedger,
} from "./testing/collectors-and-ledger.ts";
import { portfolioOf } from "./testing/portfolio.ts";

const accountId = "00000000-0000-4000-8000-000000000002";
const file = "00000000-0000-4000-8000-000000000003";
const lock = "00000000-0000-4000-8000-000000000004";
const dana = portfolioOf({ accountId });

let published: Portfolio | undefined;
const asked: unknown[] = [];
const portfolios: Portfolios = {
  find: async (by) =>
    ("handle" in by ? by.handle === "dana" : by.accountId === accountId) ? published : undefined,
  listed: async () => (published ? [published] : []),
  unlock: async (_accountId, password) => password === "sesame",
  picture: async (_accountId, of) => (of === file ? Buffer.from("RIFF") : undefined),
  cv: async (_accountId, language) => (language === "en" ? Buffer.from("%PDF") : undefined),
  report: async (...report) => void asked.push(report),
  send: async (...message) => void asked.push(message),
};
const contentOrigin = "https://pages.example";

let stack: CollectorsAndLedger;
beforeAll(async () => {
  const portfolioDomains = new Map([["dana.example", "dana"]]);
  stack = await startCollectorsAndLedger({ portfolios, portfolioDomains, contentOrigin });
});
beforeEach(() => {
  published = dana;
  asked.length = 0;
});
afterAll(() => stack.stop());

type Sent = { headers?: Record<string, string>; form?: Record<string, string>; host?: string };

async function ask(method: "GET" | "HEAD" | "POST", url: string, sent: Sent = {}) {
  const { headers = {}, form, host = "pages.example" } = sent;
  const type = "application/x-www-form-urlencoded";
  return await stack.collector.server.inject({
    method,
    url,
    headers: {
      ...browserHeaders,
      "accept-language": "en",
      host,
      ...(form && { "content-type": type }),
      ...headers,
    },
    ...(form && { payload: new URLSearchParams(form).toString() }),
  });
}

describe("a portfolio at its address", () => {
  it("is one page in the language that is asked for, with the product's script alone and out of search engines", async () => {
    const page = await ask("GET", "/p/dana");
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('<html lang="en">');
    expect(page.body).toContain('src="/p/dana/pictures/x"');
    expect(page.body.match(/<script(?! type="application\/ld\+json")[^>]*>/gu)).toEqual([
      '<script type="module" src="/viewer/viewer.js">',
    ]);
    expect(page.body).toContain("Openings of this page are counted.");
    expect(page.body).toContain('<meta name="robots" content="noindex">');
    expect((await ask("GET", "/p/dana?lang=he")).body).toContain('<html lang="he">');
    const policy = String(page.headers["content-security-policy"]);
    expect(policy).toMatch(/^default-src 'none'; /u);
    expect(policy).toContain("script-src 'self'; ");
    expect(policy).not.toMatch(/unsafe|https:/u);
    expect(page.headers).toMatchObject({
      "x-robots-tag": "noindex",
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
    });
    expect((await ask("HEAD", "/p/dana")).statusCode).toBe(200);
    expect((await ask("GET", "/p/other")).statusCode).toBe(404);
  });

  it("is listed by search engines once its owner chose so, and never while it is locked or unlisted", async () => {
    published = { ...dana, inSearch: true, revision: lock };
    const page = await ask("GET", "/p/dana");
    expect(page.headers["x-robots-tag"]).toBeUndefined();
    expect(page.body).toContain('rel="canonical" href="https://dana.example/?lang=en"');
    expect(page.body).toContain('hreflang="he" href="https://dana.example/?lang=he"');
    expect(page.body).toContain('property="og:image" content="https://pro-talent.example/api/og?');
    expect((await ask("GET", "/p/sitemap.xml")).body).toContain(
      "<loc>https://dana.example/?lang=he</loc>",
    );
    published = { ...dana, inSearch: true, state: "unlisted", revision: file };
    expect((await ask("GET", "/p/sitemap.xml")).body).not.toContain("<loc>");
    expect((await ask("GET", "/p/dana")).headers["x-robots-tag"]).toBe("noindex");
  });

  it("has its pictures and its CV beside it, which no browser runs", async () => {
    const picture = await ask("GET", `/p/dana/pictures/${file}`);
    expect(picture.headers).toMatchObject({
      "content-type": "image/webp",
      "content-security-policy": "sandbox; default-src 'none'",
    });
    expect((await ask("GET", `/p/dana/pictures/${lock}`)).statusCode).toBe(404);
    expect((await ask("GET", "/p/dana/pictures/..%2Fx")).statusCode).toBe(404);
    const cv = await ask("GET", "/p/dana/cv/en");
    expect(cv.headers["content-disposition"]).toMatch(
      /^attachment; filename\*=UTF-8''Dana%20Levi/u,
    );
    expect((await ask("GET", "/p/dana/cv/he")).statusCode).toBe(404);
  });

  it("is shown on the origin of such pages alone, and on a host of its own", async () => {
    const answer = await ask("GET", "/p/dana/report?lang=he", { host: "pro-talent.example" });
    expect(answer.statusCode).toBe(308);
    expect(answer.headers["location"]).toBe(`${contentOrigin}/p/dana/report?lang=he`);
    published = { ...dana, inSearch: true, revision: lock };
    const own = await ask("GET", "/?lang=en", { host: "dana.example" });
    expect(own.body).toContain('src="/pictures/x"');
    expect(own.body).toContain('rel="canonical" href="https://dana.example/?lang=en"');
    const picture = await ask("GET", `/pictures/${file}`, { host: "dana.example" });
    expect(picture.statusCode).toBe(200);
    expect((await ask("GET", "/", { host: "pages.example" })).statusCode).toBe(404);
  });
});

describe("a portfolio with a password", () => {
  beforeEach(() => {
    published = { ...dana, lock };
  });
  const unlock = (password: string) => ask("POST", "/p/dana", { form: { password } });

  it("shows nothing before it is given, and is open for a day in that browser", async () => {
    const locked = await ask("GET", "/p/dana");
    expect(locked.body).toContain('type="password"');
    expect(locked.body).not.toContain("Dana");
    for (const part of [`/pictures/${file}`, "/cv/en"])
      expect((await ask("GET", `/p/dana${part}`)).statusCode).toBe(404);
    expect((await unlock("wrong")).statusCode).toBe(403);
    const opened = await unlock("sesame");
    expect([opened.statusCode, opened.headers["location"]]).toEqual([303, "/p/dana"]);
    const [cookie = ""] = String(opened.headers["set-cookie"]).split(";");
    expect(String(opened.headers["set-cookie"])).toMatch(
      /Path=\/p\/dana; .*HttpOnly; SameSite=Lax; Secure/u,
    );
    const page = await ask("GET", "/p/dana", { headers: { cookie } });
    expect(page.body).toContain('<html lang="en">');
    expect(page.headers["cache-control"]).toBe("private, no-store");
    expect((await ask("GET", "/p/dana/cv/en", { headers: { cookie } })).statusCode).toBe(200);
  });

  it("asks again after another password, and of another portfolio", async () => {
    const opened = await unlock("sesame");
    const [cookie = ""] = String(opened.headers["set-cookie"]).split(";");
    published = { ...dana, lock: file };
    const again = await ask("GET", "/p/dana", { headers: { cookie } });
    expect(again.body).toContain('type="password"');
    const forged = await ask("GET", "/p/dana", { headers: { cookie: "unlocked=AAAA" } });
    expect(forged.body).toContain('type="password"');
  });

  it("is not found by trying", async () => {
    let status = 0;
    for (let tries = 0; tries <= 50; tries += 1) status = (await unlock("wrong")).statusCode;
    expect(status).toBe(429);
  });
});

describe("a reader", () => {
  const form = { name: "Ron", email: "ron@example.com", message: "Can we talk?", language: "en" };

  it("writes to the owner, whose address is nowhere, by a plain form", async () => {
    const sent = await ask("POST", "/p/dana/contact", { form });
    expect(sent.body).toContain("The message was received");
    expect(asked).toMatchObject([[accountId, { ...form, messageId: expect.any(String) }]]);
  });

  it("is asked again for what is missing; programs get the usual answer", async () => {
    const short = await ask("POST", "/p/dana/contact", { form: { ...form, message: "Hi" } });
    expect(short.statusCode).toBe(422);
    const robot = await ask("POST", "/p/dana/contact", { form: { ...form, website: "x" } });
    expect(robot.statusCode).toBe(200);
    const foreign = await ask("POST", "/p/dana/contact", {
      form,
      headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    });
    expect(foreign.statusCode).toBe(403);
    published = { ...dana, contactForm: false };
    expect((await ask("POST", "/p/dana/contact", { form })).statusCode).toBe(404);
    expect(asked).toEqual([]);
  });

  it("cannot flood the owner", async () => {
    let status = 0;
    for (let count = 0; count <= 20; count += 1)
      status = (await ask("POST", "/p/dana/contact", { form })).statusCode;
    expect(status).toBe(429);
  });

  it("reports the page by a plain form", async () => {
    expect((await ask("GET", "/p/dana/report")).body).toContain('value="phishing"');
    const sent = await ask("POST", "/p/dana/report", {
      form: { reason: "phishing" },
      headers: { origin: "null", "sec-fetch-site": "same-origin" },
    });
    expect([sent.statusCode, asked]).toEqual([200, [[accountId, "phishing"]]]);
  });
});

const opens = async () => (await stack.collector.spooled()).opens;
const ticketIn = (body: string): string => /data-viewing="(?<path>[^"]+)"/u.exec(body)?.[1] ?? "";

describe("an open of the own address of a portfolio", () => {
  const from = (address: string) => ({
    ...navigationHeaders(browserHeaders["user-agent"]),
    "x-forwarded-for": address,
  });

  it("is recorded by the rules of links, and what was seen of it by its page", async () => {
    const before = (await opens()).length;
    const page = await ask("GET", "/p/dana", { headers: from("192.0.2.10") });
    await ask("GET", "/p/dana?lang=he", { headers: from("192.0.2.10") });
    await ask("HEAD", "/p/dana", { headers: from("192.0.2.11") });
    await ask("GET", "/p/dana", { headers: { ...from("192.0.2.12"), dnt: "1" } });
    await ask("GET", "/p/dana", {
      headers: { ...from("192.0.2.13"), "user-agent": "Slackbot-LinkExpanding 1.0" },
    });
    await ask("GET", "/p/dana", {
      headers: { ...from("192.0.2.14"), cookie: `owner-of=${accountId}` },
    });
    const rows = (await opens()).slice(before);
    expect(rows.map(({ exclusion }) => exclusion)).toEqual([
      "",
      "repeated",
      "head",
      "",
      "preview",
      "owner",
    ]);
    for (const row of rows)
      expect(row).toMatchObject({ link_id: accountId, account_id: accountId, leads_to: "profile" });
    const [first, again, , secret] = rows;
    expect(again?.visitor_id).toBe(first?.visitor_id);
    expect(secret).toMatchObject({ visitor_id: noVisitor, country: "" });

    stack.collector.time.offsetMs += 60_000;
    const seen = { seconds: 20, pages: 2, pagesTotal: 3, downloaded: false };
    const reported = await stack.collector.server.inject({
      method: "POST",
      url: ticketIn(page.body),
      headers: { ...browserHeaders, host: "pages.example" },
      payload: seen,
    });
    expect(reported.statusCode).toBe(204);
    expect((await stack.collector.spooled()).viewings.at(-1)).toMatchObject({
      event_id: first?.event_id,
      link_id: accountId,
      seconds: 20,
      pages: 2,
    });
    // The ticket leads to no page.
    expect((await ask("GET", ticketIn(page.body))).statusCode).toBe(404);
  });

  it("is recorded on the site, which knows its owner, and only once when it leads to the host of the page", async () => {
    const before = (await opens()).length;
    const host = "pro-talent.example";
    const headers = { ...from("192.0.2.20"), cookie: `owner-of=${accountId}` };
    const led = await ask("GET", "/p/dana?lang=he", { host, headers });
    expect(led.statusCode).toBe(302);
    const address = new URL(String(led.headers["location"]));
    expect(address.origin).toBe(contentOrigin);
    const page = await ask("GET", address.pathname + address.search, {
      headers: from("192.0.2.20"),
    });
    expect(page.body).toContain('<html lang="he">');
    expect((await opens()).slice(before).map(({ exclusion }) => exclusion)).toEqual(["owner"]);
    // Passed on, the address is opened anew.
    stack.collector.time.offsetMs += 5 * 60_000;
    await ask("GET", address.pathname + address.search, { headers: from("192.0.2.21") });
    expect((await opens()).slice(before).map(({ exclusion }) => exclusion)).toEqual(["owner", ""]);
  });

  it("is not recorded while the page asks for a password, or is not there", async () => {
    const before = (await opens()).length;
    published = { ...dana, lock };
    await ask("GET", "/p/dana", { headers: from("192.0.2.30") });
    await ask("GET", "/p/dana", { headers: from("192.0.2.30"), host: "pro-talent.example" });
    published = undefined;
    await ask("GET", "/p/dana", { headers: from("192.0.2.30") });
    expect((await opens()).length).toBe(before);
  });
});
