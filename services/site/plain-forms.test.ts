import { buildServer } from "@pro-talent/platform/http/build-server";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import fc from "fast-check";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { addPlainFormRoutes } from "./plain-forms.ts";

const publicOrigin = "https://pro-talent.example";
let app: FastifyInstance;
beforeAll(async () => {
  app = buildServer({
    publicOrigin: undefined,
    log: createLogger({ service: "test", level: "silent" }),
  });
  await app.register(async (scope) => addPlainFormRoutes(scope, publicOrigin));
});
afterAll(() => app.close());

const post = (url: string, payload: string) =>
  app.inject({
    method: "POST",
    url,
    payload,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });

describe("a form without scripts on a page that a mail leads to", () => {
  test.each([
    ["/newsletter/confirm?token=a-b_C", "", "/api/newsletter/confirm?token=a-b_C"],
    ["/newsletter/confirm", "", "/api/newsletter/confirm"],
    ["/newsletter/never?token=a-b_C", "", "/api/newsletter/never?token=a-b_C"],
    [
      "/newsletter/preferences?lang=he&token=x",
      "frequency=weekly&topics=launch",
      "/api/newsletter/preferences?lang=he&token=x",
    ],
    [
      "/newsletter/preferences?token=x",
      "frequency=weekly&leave=yes",
      "/api/newsletter/unsubscribe?token=x",
    ],
    [
      "/newsletter/confirm?token=//evil.example",
      "",
      "/api/newsletter/confirm?token=//evil.example",
    ],
  ])("%s with %j is redirected to %s, as it was sent", async (url, body, location) => {
    const answer = await post(url, body);
    expect(answer.statusCode).toBe(307);
    expect(answer.headers).toMatchObject({ location, "cache-control": "no-store" });
  });

  test("is not read when it is too large", async () => {
    expect((await post("/newsletter/preferences", "a".repeat(20_000))).statusCode).toBe(413);
  });
});

describe("the language switch without scripts", () => {
  const choose = (lang: string, headers: Record<string, string> = {}) =>
    app.inject({
      method: "POST",
      url: "/lang",
      payload: `lang=${lang}`,
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    });

  test("sets the cookie for a year and leads back to the page", async () => {
    const answer = await choose("he", { referer: "https://pro-talent.example/about?a=1&lang=en" });
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe("/about?a=1");
    expect(answer.headers["set-cookie"]).toBe(
      "preferred_language=he; Path=/; Max-Age=31536000; SameSite=Lax",
    );
  });

  test.each([
    ["https://pro-talent.example//other.example/x", "/other.example/x"],
    ["https://pro-talent.example/\\\\other.example/x", "/other.example/x"],
    ["https://evil.example/about", "/"],
    ["http://pro-talent.example/about", "/"],
    ["https://pro-talent.example:444/about", "/"],
    ["https://pro-talent.example@evil.example/about", "/"],
    ["odd://pro-talent.example/\\evil.example", "/"],
    ["javascript:alert(1)", "/"],
    ["/about", "/"],
    ["nonsense", "/"],
  ])("from %j leads to %s", async (referer, location) => {
    expect((await choose("he", { referer })).headers.location).toBe(location);
  });

  test("without a Referer leads to the home page", async () => {
    expect((await choose("he")).headers.location).toBe("/");
  });

  test("leads nowhere but to a path of the site, whatever the Referer", async () => {
    const marks = "/ // \\ /\\ . .. %2f %5c : @ ? # &lang=en a ש evil.example https: javascript:";
    const unseen = ["\t", "\n", "\r", "\u0000", "\u007f", "\u00a0"];
    const part = fc.constantFrom(...marks.split(" "), ...unseen);
    const start = fc.constantFrom(publicOrigin, "https://evil.example", "odd://evil.example", "");
    const pieces = fc.array(fc.oneof(part, fc.string({ maxLength: 4 })), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(start, pieces, async (origin, path) => {
        const referer = origin + path.join("");
        const location = String((await choose("he", { referer })).headers.location);
        expect(location).toMatch(/^\/(?![/\\])[\u0021-\u007e]*$/);
        expect(new URL(location, publicOrigin).origin).toBe(publicOrigin);
        const isOwn = URL.canParse(referer) && new URL(referer).origin === publicOrigin;
        expect(isOwn || location === "/").toBe(true);
      }),
    );
  });

  test("refuses unknown languages, other sites and large bodies with a clear problem", async () => {
    expect((await choose("fr")).json()).toMatchObject({ status: 422, code: "invalid_body" });
    expect((await choose("he", { "sec-fetch-site": "cross-site" })).statusCode).toBe(403);
    expect((await choose("h".repeat(1000))).statusCode).toBe(413);
  });
});
