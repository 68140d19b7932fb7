import { randomUUID } from "node:crypto";

import { ApiLink, linkApiCalls } from "@pro-talent/schemas/links/api-calls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { type LinkService, openLinkService } from "./testing/link-service.ts";

let service: LinkService;
beforeAll(async () => {
  service = await openLinkService();
});
afterAll(() => service.close());

const Page = linkApiCalls["GET /api/v1/links"].answer;

/** An owner with some links, and a program of theirs. */
async function ownerWith(labels: readonly string[]) {
  const owner = service.browser();
  for (const label of labels) {
    const target = { kind: "external", url: "https://example.com/cv" };
    const answer = await owner.send("POST", "/api/links", { label, target });
    expect(answer.statusCode).toBe(201);
    service.moveClock(1000);
  }
  return { owner, read: service.program(owner.accountId) };
}

async function pagesOf(read: ReturnType<LinkService["program"]>, limit: number) {
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? "" : `&cursor=${cursor}`;
    const page = Page.parse((await read(`/api/v1/links?limit=${limit}${query}`)).json());
    pages.push(page.links.map(({ label }) => label));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return pages;
}

describe("links for programs", () => {
  it("are read page by page, the newest first, each once", async () => {
    const { read } = await ownerWith(["one", "two", "three", "four", "five"]);
    expect(await pagesOf(read, 2)).toEqual([["five", "four"], ["three", "two"], ["one"]]);
    expect(await pagesOf(read, 5)).toEqual([["five", "four", "three", "two", "one"]]);
  });

  it("go on where the page before ended, also when a link was made or deleted meanwhile", async () => {
    const { owner, read } = await ownerWith(["one", "two", "three", "four"]);
    const first = Page.parse((await read("/api/v1/links?limit=2")).json());
    await owner.send("DELETE", `/api/links/${first.links[1]?.linkId}`);
    const target = { kind: "external", url: "https://example.com/" };
    await owner.send("POST", "/api/links", { label: "five", target });
    const next = await read(`/api/v1/links?limit=2&cursor=${first.nextCursor}`);
    expect(Page.parse(next.json()).links.map(({ label }) => label)).toEqual(["two", "one"]);
  });

  it("state the address to share and where it leads, and no password", async () => {
    const { read } = await ownerWith(["Acme"]);
    const [listed] = Page.parse((await read("/api/v1/links")).json()).links;
    const one = await read(`/api/v1/links/${listed?.linkId}`);
    const { link } = z.object({ link: ApiLink }).parse(one.json());
    expect(link).toEqual(listed);
    expect(link.shareUrl).toMatch(new RegExp(`/l/${link.code}$`));
    expect(link).toMatchObject({
      label: "Acme",
      targetUrl: "https://example.com/cv",
      locked: false,
    });
    expect(one.body).not.toContain("password");
  });

  it("answer 304 to who has the answer already, and 200 once it changed", async () => {
    const { owner, read } = await ownerWith(["Acme"]);
    const first = await read("/api/v1/links");
    const tag = String(first.headers.etag);
    const again = await read("/api/v1/links", { "if-none-match": tag });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
    const [link] = Page.parse(first.json()).links;
    await owner.send("PATCH", `/api/links/${link?.linkId}`, { label: "Acme Ltd." });
    expect((await read("/api/v1/links", { "if-none-match": tag })).statusCode).toBe(200);
  });

  it("are those of the token's account alone; another's are as unknown as none", async () => {
    const { owner } = await ownerWith(["mine"]);
    const own = await service.program(owner.accountId)("/api/v1/links");
    const [link] = Page.parse(own.json()).links;
    const { read } = await ownerWith([]);
    expect((await read("/api/v1/links")).json()).toEqual({ links: [], nextCursor: null });
    for (const linkId of [link?.linkId, randomUUID(), "none"])
      expect((await read(`/api/v1/links/${linkId}`)).statusCode).toBe(404);
  });

  it("are not for a token without the scope, nor for a sign-in", async () => {
    const { owner } = await ownerWith(["mine"]);
    const other = await service.program(owner.accountId, ["opens:read"])("/api/v1/links");
    expect([other.statusCode, other.json<{ code: string }>().code]).toEqual([403, "scope_missing"]);
    expect((await owner.send("GET", "/api/v1/links")).statusCode).toBe(401);
    expect((await service.app.inject({ url: "/api/v1/links" })).statusCode).toBe(401);
  });

  it.each(["cursor=bm9uc2Vuc2U", "cursor=%00", "limit=0", "limit=101", "limit=many"])(
    "refuse %s",
    async (query) => {
      const { read } = await ownerWith([]);
      expect((await read(`/api/v1/links?${query}`)).statusCode).toBe(400);
    },
  );

  it("are answered sixty times a minute for each token, and the answer says what is left", async () => {
    const { owner, read } = await ownerWith([]);
    const first = await read("/api/v1/links");
    expect(first.headers).toMatchObject({ "ratelimit-limit": "60", "ratelimit-remaining": "59" });
    for (let call = 1; call < 60; call += 1) await read("/api/v1/links");
    const beyond = await read("/api/v1/links");
    expect(beyond.statusCode).toBe(429);
    expect(Number(beyond.headers["retry-after"])).toBeGreaterThan(0);
    const another = await service.program(owner.accountId)("/api/v1/links");
    expect(another.statusCode).toBe(200);
  });
});
