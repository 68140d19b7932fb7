import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Portfolio } from "./links/portfolios.ts";
import type { Links, ResolvedLink } from "./links/resolve-links.ts";
import { browserHeaders } from "./testing/collector-under-test.ts";
import {
  type CollectorsAndLedger,
  startCollectorsAndLedger,
} from "./testing/collectors-and-ledger.ts";
import { portfolioOf } from "./testing/portfolio.ts";

const linkId = "00000000-0000-4000-8000-000000000001";
const accountId = "00000000-0000-4000-8000-000000000002";
const base = { status: "active", linkId, accountId, locked: false, expiresAt: null } as const;
const fileLink = { ...base, target: "file", url: null } as const;
const file = { fileId: linkId, name: `קורות "חיים" <b>.pdf`, kind: "pdf", bytes: 4 } as const;
const docx = { ...file, name: "cv.docx", kind: "docx", bytes: 1_234_567 } as const;
const dana = portfolioOf({ accountId, fullName: "Dana <i>Levi" });

let known: Record<string, ResolvedLink> = {};
let published: Portfolio | undefined;
const reported: string[] = [];
const links: Links = {
  resolve: async (code) => known[code] ?? { status: "unknown" },
  unlock: async () => true,
  file: async () => Buffer.from("%PDF"),
  report: async (_linkId, reason) => void reported.push(reason),
};
const portfolios = { find: async () => published, picture: async () => Buffer.from("RIFF") };
const contentOrigin = "https://pages.example";

let stack: CollectorsAndLedger;
beforeAll(async () => {
  stack = await startCollectorsAndLedger({ links, portfolios, contentOrigin });
});
afterAll(() => stack.stop());

type Sent = { headers?: Record<string, string>; json?: object; form?: string; host?: string };

async function ask(method: "GET" | "POST", url: string, sent: Sent = {}) {
  const { headers = {}, json, form, host = "pages.example" } = sent;
  const type = form === undefined ? "application/json" : "application/x-www-form-urlencoded";
  return await stack.collector.server.inject({
    method,
    url,
    headers: {
      ...browserHeaders,
      "accept-language": "en",
      "content-type": type,
      host,
      ...headers,
    },
    ...((form ?? json) !== undefined && { payload: form ?? json }),
  });
}

/** Follows a link. @returns the path of its page */
async function open(code: string, link: ResolvedLink): Promise<string> {
  known = { [code]: link };
  const answer = await ask("GET", `/l/${code}`, { host: "pro-talent.example" });
  const location = new URL(String(answer.headers["location"]));
  expect(location.origin).toBe(contentOrigin);
  return location.pathname;
}
const viewings = async () => (await stack.collector.spooled()).viewings;
const minute = 60_000;

describe("the page of a PDF", () => {
  it("names the file and its owner, says that openings are counted, and offers a download", async () => {
    published = dana;
    const path = await open("cv", { ...fileLink, file });
    const page = await ask("GET", path);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain("קורות &quot;חיים&quot; &lt;b&gt;.pdf");
    expect(page.body).toContain("Shared by <bdi>Dana &lt;i&gt;Levi</bdi>");
    expect(page.body).toContain("Openings of this link are counted");
    expect(page.body).toContain(`href="${path}/save"`);
    expect((await ask("GET", `${path}?lang=he`)).body).toContain('<html lang="he" dir="rtl">');
    published = undefined;
    expect((await ask("GET", path)).body).toContain("Shared with a Pro Talent link");
  });

  it("allows nothing unsafe, and no other site to frame, cache or index it", async () => {
    const page = await ask("GET", await open("cv", { ...fileLink, file }));
    const policy = String(page.headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    expect(page.headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
    });
  });

  it("has its file beside it, which no browser shows or runs by itself", async () => {
    const path = await open("cv", { ...fileLink, file });
    const before = (await viewings()).length;
    const answer = await ask("GET", `${path}/file`);
    expect(answer.body).toBe("%PDF");
    expect(answer.headers).toMatchObject({
      "content-type": "application/pdf",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
    });
    expect(answer.headers["content-disposition"]).toMatch(/^attachment; filename\*=UTF-8''%D7%A7/u);
    expect((await viewings()).length).toBe(before);
  });

  it("can be reloaded for a day; its address passed on leads to the link, as an open of its own", async () => {
    const path = await open("cv", { ...fileLink, file });
    const opens = (await stack.collector.spooled()).opens.length;
    const cookie = String((await ask("GET", path)).headers["set-cookie"]);
    expect(cookie).toMatch(new RegExp(`^seen=1; Path=${path}; Max-Age=8\\d{4}; HttpOnly`, "u"));
    stack.collector.time.offsetMs += 3 * minute;
    expect((await ask("GET", path, { headers: { cookie: "seen=1" } })).statusCode).toBe(200);
    const passedOn = await ask("GET", path);
    expect(passedOn.headers["location"]).toBe("https://pro-talent.example/l/cv");
    expect((await stack.collector.spooled()).opens.length).toBe(opens);
    stack.collector.time.offsetMs += 24 * 60 * minute;
    expect((await ask("GET", path, { headers: { cookie: "seen=1" } })).statusCode).toBe(404);
  });

  it("of an erased account stores nothing more, although it is open and its link still known", async () => {
    const path = await open("cv", { ...fileLink, file });
    const report = { seconds: 3, pages: 1, pagesTotal: 2, downloaded: false };
    const send = () => ask("POST", path, { json: report });
    expect((await send()).statusCode).toBe(204);
    const before = await stack.collector.spooled();
    stack.collector.suppressed.add(accountId);
    expect((await send()).statusCode).toBe(204);
    await open("cv", { ...fileLink, file });
    stack.collector.suppressed.clear();
    expect(await stack.collector.spooled()).toEqual(before);
  });

  it("ends with the link, and when the link asks for a password or leads elsewhere since", async () => {
    const path = await open("cv", { ...fileLink, file });
    for (const now of [
      { status: "revoked" },
      { ...fileLink, file, locked: true },
      { ...base, target: "external", url: "https://example.com", file: null },
    ] satisfies ResolvedLink[]) {
      known = { cv: now };
      for (const part of ["", "/file", "/save", "/report"])
        expect((await ask("GET", `${path}${part}`)).statusCode).toBe(404);
    }
  });

  it("cannot be asked for with a ticket that was not issued", async () => {
    const path = await open("cv", { ...fileLink, file });
    for (const made of ["/v/x", `${path}x`, `/v/${"A".repeat(400)}`, `/v/${"A".repeat(2000)}`]) {
      expect((await ask("GET", made)).statusCode).toBe(404);
      expect((await ask("POST", made, { json: {} })).statusCode).toBe(404);
    }
  });
});

describe("the page of a DOCX", () => {
  it("states name and size; saving it is recorded before it is sent", async () => {
    const path = await open("cv", { ...fileLink, file: docx });
    const page = await ask("GET", path);
    expect(page.body).toContain("cv.docx");
    expect(page.body).toContain("1.2 MB");
    const before = (await viewings()).length;
    const saved = await ask("GET", `${path}/save`);
    expect(saved.headers["content-type"]).toContain("officedocument");
    expect((await viewings()).slice(before)).toMatchObject([
      { link_id: linkId, account_id: accountId, downloaded: true, seconds: 0 },
    ]);
  });
});

describe("what a visible page reports", () => {
  const viewing = { seconds: 12, pages: 2, pagesTotal: 3, downloaded: false };

  it("is on disk before it is answered, with the open that led to it and nothing of the reader", async () => {
    const path = await open("cv", { ...fileLink, file });
    const openRow = (await stack.collector.spooled()).opens.at(-1);
    stack.collector.time.offsetMs += minute;
    const before = (await viewings()).length;
    expect((await ask("POST", path, { json: viewing })).statusCode).toBe(204);
    const [row] = (await viewings()).slice(before);
    expect(row).toMatchObject({ event_id: openRow?.event_id, opened_at: openRow?.occurred_at });
    expect(row).toMatchObject({ seconds: 12, pages: 2, pages_total: 3, downloaded: false });
    expect(Object.keys(row ?? {})).toHaveLength(10);
  });

  it("is at most what can be true", async () => {
    const path = await open("cv", { ...fileLink, file });
    stack.collector.time.offsetMs += 10_000;
    await ask("POST", path, { json: { ...viewing, seconds: 5000, pages: 9 } });
    const row = (await viewings()).at(-1);
    expect(row?.seconds).toBeLessThanOrEqual(11);
    expect(row?.pages).toBe(3);
    expect((await ask("POST", path, { json: { ...viewing, seconds: -1 } })).statusCode).toBe(422);
  });

  it("of a reader who objects is that the page was visible, neither time nor pages", async () => {
    const path = await open("cv", { ...fileLink, file });
    stack.collector.time.offsetMs += minute;
    for (const headers of [{ dnt: "1" }, { "sec-gpc": "1" }]) {
      await ask("POST", path, { json: viewing, headers });
      expect((await viewings()).at(-1)).toMatchObject({ seconds: 0, pages: 0 });
    }
  });

  it("is bounded for one open", async () => {
    const path = await open("cv", { ...fileLink, file });
    let status = 0;
    for (let count = 0; count <= 1000; count += 1)
      status = (await ask("POST", path, { json: viewing })).statusCode;
    expect(status).toBe(429);
  });
});

describe("a visitor who reports the link", () => {
  it("sends a plain form, and is asked again without a reason", async () => {
    const path = await open("cv", { ...fileLink, file });
    expect((await ask("GET", `${path}/report`)).body).toContain('value="phishing"');
    expect((await ask("POST", `${path}/report`, { form: "reason=fun" })).statusCode).toBe(422);
    const sent = await ask("POST", `${path}/report`, { form: "reason=phishing" });
    expect([sent.statusCode, reported]).toEqual([200, ["phishing"]]);
  });
});

describe("a portfolio that a link opens", () => {
  const link = { ...base, target: "profile", url: null, file: null } as const;

  it("reports as a file does, has its pictures beside it, and ends when it is taken back", async () => {
    published = dana;
    const path = await open("me", link);
    const page = await ask("GET", path);
    expect(page.body).toContain(`data-viewing="${path}"`);
    expect(page.body).toContain("Openings of this link are counted");
    expect(page.body).toContain(`src="${path}/pictures/`);
    const picture = await ask("GET", `${path}/pictures/${linkId}`);
    expect(picture.headers["content-type"]).toBe("image/webp");
    published = undefined;
    expect((await ask("GET", path)).statusCode).toBe(404);
    expect((await ask("GET", `${path}/pictures/${linkId}`)).statusCode).toBe(404);
  });

  it("is not in search engines, and asks for the password of the link alone", async () => {
    published = { ...dana, inSearch: true, lock: accountId };
    const page = await ask("GET", await open("me", link));
    expect(page.statusCode).toBe(200);
    expect(page.headers["x-robots-tag"]).toBe("noindex");
    expect(page.body).not.toContain("canonical");
  });
});
