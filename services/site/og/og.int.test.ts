import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createLogger } from "@pro-talent/platform/runtime/logger";
import { Problem } from "@pro-talent/schemas/primitives/problem";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";

import { buildSiteApp } from "../app.ts";
import { copyFonts } from "../testing/copy-fonts.ts";

const perMinute = 30;
let dist: string;
let app: FastifyInstance;

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), "og-"));
  for (const language of ["en", "he"]) {
    await mkdir(join(dist, language));
    await writeFile(join(dist, language, "404.html"), "missing");
  }
  await writeFile(join(dist, "csp.json"), JSON.stringify({ scripts: [] }));
  await copyFonts(dist);
  app = await buildSiteApp({
    log: createLogger({ service: "site", level: "silent" }),
    webDist: dist,
    publicOrigin: "https://pro-talent.example",
    trustedProxies: ["127.0.0.1"],
    imagesPerMinute: perMinute,
  });
});
afterAll(async () => {
  await app.close();
  await rm(dist, { recursive: true, force: true });
});

const card = (title: string, headers: Record<string, string> = {}) =>
  app.inject({ url: `/api/og?title=${encodeURIComponent(title)}`, headers });

/** Width and height as the header of a PNG states them. */
function sizeOf(png: Buffer): { width: number; height: number } {
  expect(png.subarray(0, 8).toString("latin1")).toBe("\u0089PNG\r\n\u001a\n");
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

test("the share image of a title is a PNG of 1200 × 630 that any cache may keep", async () => {
  const answer = await card("What is an ATS");
  expect(answer.statusCode).toBe(200);
  expect(answer.headers["content-type"]).toBe("image/png");
  expect(answer.headers["cache-control"]).toBe("public, max-age=2592000");
  expect(answer.headers["cross-origin-resource-policy"]).toBe("cross-origin");
  expect(sizeOf(answer.rawPayload)).toEqual({ width: 1200, height: 630 });

  const etag = String(answer.headers.etag);
  const again = await card("What is an ATS", { "if-none-match": etag });
  expect(again.statusCode).toBe(304);
  expect(again.body).toBe("");
  expect((await card("What is an ATS")).rawPayload.equals(answer.rawPayload)).toBe(true);
});

test("another title is another picture, and Hebrew is drawn, not replaced by empty boxes", async () => {
  const tags = await Promise.all(
    ["CV", "קורות", "תורוק", "אבגדה"].map(async (title) => (await card(title)).headers.etag),
  );
  expect(new Set(tags).size).toBe(4);
});

test("without a title it is the name of the product", async () => {
  const named = (await card("Pro Talent")).headers.etag;
  for (const url of ["/api/og", "/api/og?title=", "/api/og?title=a&title=b"]) {
    const answer = await app.inject(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers.etag).toBe(named);
  }
});

test.each([
  ["10 kB of text", "W".repeat(10_000)],
  ["a direction override", "\u202egnp.cod"],
  ["markup", "<img src=x onerror=alert(1)><script>alert(1)</script>"],
  ["emoji", "👩🏽‍💻 works 🎉"],
  ["Zalgo", `C${"\u0301".repeat(500)}V`],
])("%s is only a title", async (_name, title) => {
  const answer = await card(title);
  expect(answer.statusCode).toBe(200);
  expect(sizeOf(answer.rawPayload)).toEqual({ width: 1200, height: 630 });
});

test.each(["%ED%A0%80", "%", "%00%ff", "a%"])(
  "a title encoded as %s is drawn as far as it can be read",
  async (raw) => {
    expect((await app.inject(`/api/og?title=${raw}`)).statusCode).toBe(200);
  },
);

test("one address may request so many in a minute; others are not affected", async () => {
  const from = (address: string) => card("limit", { "x-forwarded-for": address });
  for (let count = 0; count < perMinute; count += 1) {
    expect((await from("203.0.113.7")).statusCode).toBe(200);
  }
  const refused = await from("203.0.113.7");
  expect(refused.statusCode).toBe(429);
  expect(refused.headers["content-type"]).toContain("application/problem+json");
  expect(Problem.parse(refused.json()).code).toBe("rate_limited");
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect(refused.headers["cache-control"]).toBe("no-store");
  expect((await from("203.0.113.8")).statusCode).toBe(200);
});
