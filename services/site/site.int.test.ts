import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";

import { createLogger } from "@pro-talent/platform/runtime/logger";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { buildSiteApp } from "./app.ts";
import { copyFonts } from "./testing/copy-fonts.ts";

const log = createLogger({ service: "site", level: "silent" });
const publicOrigin = "https://pro-talent.example";
const hash = "sha256-q5oZgqk+A63xzuLAAOpT/iEQ56CslCbZbm3CVYdC9Bk=";
let dist: string;
let app: FastifyInstance;

async function writeBuilt(path: string, text: string): Promise<void> {
  await writeFile(join(dist, path), text);
  await writeFile(join(dist, `${path}.br`), brotliCompressSync(text));
  await writeFile(join(dist, `${path}.gz`), gzipSync(text));
}

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), "site-"));
  for (const folder of ["en", "he", "assets", "en/ats"]) {
    await mkdir(join(dist, folder), { recursive: true });
  }
  for (const language of ["en", "he"]) {
    await writeBuilt(`${language}/index.html`, `home ${language}`);
    await writeBuilt(`${language}/about.html`, `about ${language}`);
    await writeBuilt(`${language}/404.html`, `missing ${language}`);
    await writeBuilt(`${language}/signed-in.html`, `shell ${language}`);
  }
  await writeBuilt("en/ats/what-is-ats.html", "article en");
  await writeBuilt("assets/main-abc.js", "console.info(1)".repeat(20));
  await writeBuilt("en/addressed.html", "<link href=__PUBLIC_ORIGIN__/addressed>".repeat(9));
  await writeBuilt("sitemap.xml", "<loc>__PUBLIC_ORIGIN__/</loc>");
  await writeBuilt("robots.txt", "Sitemap: __PUBLIC_ORIGIN__/sitemap.xml");
  await writeBuilt("site.webmanifest", "{}");
  await writeBuilt("favicon.svg", "<svg/>");
  await copyFonts(dist);
  await writeFile(join(dist, "csp.json"), JSON.stringify({ scripts: [hash] }));
  app = await buildSiteApp({ log, webDist: dist, publicOrigin });
});
afterAll(async () => {
  await app.close();
  await rm(dist, { recursive: true, force: true });
});

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ method: "GET", url, headers });

describe("the language of a page", () => {
  const cookies = [
    undefined,
    "preferred_language=he",
    "preferred_language=en",
    "preferred_language=fr",
    "preferred_language=HE",
    "preferred_language=iw",
    "preferred_language=he-IL",
    "preferred_language=fr; preferred_language=he",
  ];
  const accepted = [
    [undefined, "en"],
    ["fr", "en"],
    ["he-IL,he;q=0.9,en;q=0.8", "he"],
    ["iw", "he"],
    ["en;q=0.5, he;q=0.7", "he"],
    ["he;q=0, en", "en"],
    ["*", "en"],
  ] as const;
  const cases = cookies.flatMap((cookie) =>
    accepted.map(([header, browser]) => {
      const chosen = cookie?.replace(/HE|iw|he-IL/, "he").match(/=(en|he)$/)?.[1];
      return { cookie, header, language: chosen ?? browser };
    }),
  );

  test.each(cases)(
    "with $cookie and $header is $language",
    async ({ cookie, header, language }) => {
      const answer = await get("/about", {
        ...(cookie === undefined ? {} : { cookie: `theme=1; ${cookie}` }),
        ...(header === undefined ? {} : { "accept-language": header }),
      });
      expect(answer.statusCode).toBe(200);
      expect(answer.body).toBe(`about ${language}`);
      expect(answer.headers["content-language"]).toBe(language);
      expect(answer.headers["vary"]).toBe("Accept-Language, Cookie, Accept-Encoding");
    },
  );

  test.each(["he", "HE", "iw", "he-IL", "he&lang=en"])(
    "is that of ?lang=%s, which is stored like a choice",
    async (tag) => {
      const answer = await get(`/?lang=${tag}`, { cookie: "preferred_language=en" });
      expect(answer.body).toBe("home he");
      expect(answer.headers["set-cookie"]).toBe(
        "preferred_language=he; Path=/; Max-Age=31536000; SameSite=Lax",
      );
    },
  );

  test("is not changed by a value that is no language", async () => {
    const answer = await get("/?lang=xx", { cookie: "preferred_language=he" });
    expect(answer.body).toBe("home he");
    expect(answer.headers).not.toHaveProperty("set-cookie");
  });
});

describe("the signed-in area", () => {
  test.each(["/login?next=%2Fcv", "/join", "/links/7", "/account/privacy", "/console/traffic"])(
    "answers %s with its own document, in the visitor's language, which no search engine lists",
    async (path) => {
      const answer = await get(path, { "accept-language": "he" });
      expect(answer.statusCode).toBe(200);
      expect(answer.body).toBe("shell he");
      expect(answer.headers).toMatchObject({
        "content-language": "he",
        "cache-control": "private, no-cache",
        "x-robots-tag": "noindex",
      });
    },
  );

  test.each(["/signed-in", "/linksx", "/loginx", "/en/login"])(
    "does not answer %s",
    async (path) => {
      expect((await get(path)).statusCode).toBe(404);
    },
  );
});

describe("pages", () => {
  test("may be kept by the browser alone and are revalidated by their version", async () => {
    const first = await get("/");
    expect(first.headers["cache-control"]).toBe("private, no-cache");
    const etag = String(first.headers.etag);
    const again = await get("/", { "if-none-match": `"other", W/${etag}` });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe("");
    expect(again.headers.etag).toBe(etag);
    expect((await get("/", { "if-none-match": '"other"' })).statusCode).toBe(200);
    const hebrew = await get("/", { "if-none-match": etag, cookie: "preferred_language=he" });
    expect(hebrew.statusCode).toBe(200);
  });

  test("come in the best encoding that the browser takes", async () => {
    const best = await get("/", { "accept-encoding": "gzip, deflate, br" });
    expect(best.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(best.rawPayload).toString()).toBe("home en");
    const refused = await get("/", { "accept-encoding": "br;q=0, gzip" });
    expect(gunzipSync(refused.rawPayload).toString()).toBe("home en");
    expect((await get("/")).headers).not.toHaveProperty("content-encoding");
    expect(best.headers.etag).not.toBe(refused.headers.etag);
  });

  test("in folders have their path; a trailing slash leads to the page without it", async () => {
    expect((await get("/ats/what-is-ats")).body).toBe("article en");
    const slash = await get("/about/?a=1");
    expect(slash.statusCode).toBe(308);
    expect(slash.headers.location).toBe("/about?a=1");
    expect((await get("//evil.example/")).statusCode).toBe(404);
  });

  test("answer HEAD without a body", async () => {
    const answer = await app.inject({ method: "HEAD", url: "/about" });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe("");
    expect(answer.headers["content-language"]).toBe("en");
  });
});

describe("a document that states its own address", () => {
  test("has the public origin, in every encoding, with a version of its own", async () => {
    const plain = await get("/addressed");
    const [br, gzip] = await Promise.all(
      ["br", "gzip"].map((encoding) => get("/addressed", { "accept-encoding": encoding })),
    );
    expect(plain.body).toBe(`<link href=${publicOrigin}/addressed>`.repeat(9));
    expect(brotliDecompressSync(br?.rawPayload ?? "").toString()).toBe(plain.body);
    expect(gunzipSync(gzip?.rawPayload ?? "").toString()).toBe(plain.body);
    expect(new Set([plain, br, gzip].map((answer) => answer?.headers.etag)).size).toBe(3);

    const moved = await buildSiteApp({ log, webDist: dist, publicOrigin: "http://localhost:3000" });
    const there = await moved.inject("/addressed");
    expect(there.body).toContain("http://localhost:3000/addressed");
    expect(there.headers.etag).not.toBe(plain.headers.etag);
    await moved.close();
  });

  test.each([
    ["/sitemap.xml", "application/xml; charset=utf-8", `<loc>${publicOrigin}/</loc>`],
    ["/robots.txt", "text/plain; charset=utf-8", `Sitemap: ${publicOrigin}/sitemap.xml`],
    ["/site.webmanifest", "application/manifest+json", "{}"],
  ])("%s has its type and is cached for a day", async (path, type, body) => {
    const answer = await get(path);
    expect(answer.headers["content-type"]).toBe(type);
    expect(answer.headers["cache-control"]).toBe("public, max-age=86400");
    expect(answer.body).toBe(body);
  });
});

describe("unknown paths", () => {
  test.each([
    "/nowhere",
    "/404",
    "/index",
    "/index.html",
    "/en/about",
    "/../csp.json",
    "/csp.json",
    "/%00",
  ])("%s is the page for it, in the right language, with status 404", async (path) => {
    const answer = await get(path, { "accept-language": "he" });
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toBe("missing he");
    expect(answer.headers["content-language"]).toBe("he");
  });

  test("are never answered as unchanged", async () => {
    const etag = String((await get("/nowhere")).headers.etag);
    expect((await get("/nowhere", { "if-none-match": etag })).statusCode).toBe(404);
  });

  test("of the API and of other methods are problems, not pages", async () => {
    expect((await get("/api/unknown")).json()).toMatchObject({ status: 404, code: "not_found" });
    const posted = await app.inject({ method: "POST", url: "/about", payload: {} });
    expect(posted.json()).toMatchObject({ code: "not_found" });
  });
});

describe("assets", () => {
  test("are cached for ever, compressed beforehand", async () => {
    const answer = await get("/assets/main-abc.js", { "accept-encoding": "br" });
    expect(answer.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(answer.headers["content-encoding"]).toBe("br");
    expect(answer.headers["content-type"]).toMatch(/javascript/);
    expect(brotliDecompressSync(answer.rawPayload).toString()).toContain("console.info");
  });

  test("that do not exist are a problem without a page, which no cache stores", async () => {
    const answer = await get("/assets/gone.js", { "accept-language": "he" });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.json()).toMatchObject({ code: "not_found" });
  });

  test("beside the pages are cached for a day", async () => {
    const answer = await get("/favicon.svg");
    expect(answer.headers["content-type"]).toBe("image/svg+xml");
    expect(answer.headers["cache-control"]).toBe("public, max-age=86400");
  });
});

describe("every answer", () => {
  test.each(["/", "/nowhere", "/healthz", "/api/unknown"])(
    "of %s has the security headers of pages",
    async (path) => {
      const { headers } = await get(path);
      const policy = String(headers["content-security-policy"]);
      expect(policy).toContain(`script-src 'self' '${hash}';`);
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe-|\*|https?:/);
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "strict-origin-when-cross-origin",
        "cross-origin-opener-policy": "same-origin",
        "x-frame-options": "DENY",
      });
    },
  );

  test.each([
    ["/portfolio", true],
    ["/", false],
  ])("of %s allows frames of what the page was sent as data: %s", async (path, allowed) => {
    const { headers } = await get(path);
    const frames = /frame-src [^;]*/u.exec(String(headers["content-security-policy"]))?.[0];
    expect(frames).toBe(allowed ? "frame-src blob:" : undefined);
  });

  test("of a file has the few security headers that concern files", async () => {
    expect((await get("/assets/main-abc.js")).headers).toMatchObject({
      "content-security-policy": "default-src 'none'",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
    });
  });

  test("to a probe states that the site runs and is ready", async () => {
    expect((await get("/healthz")).json()).toEqual({ status: "ok" });
    expect((await get("/readyz")).json()).toEqual({ ready: true, missing: [] });
  });
});

test("a site that was not built reports how to build it", async () => {
  const empty = await mkdtemp(join(tmpdir(), "site-"));
  await expect(buildSiteApp({ log, webDist: empty, publicOrigin })).rejects.toThrow(
    "npm run build -w web",
  );
  await rm(empty, { recursive: true });
});
