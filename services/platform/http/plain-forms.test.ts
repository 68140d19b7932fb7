import { defineCalls } from "@pro-talent/schemas/primitives/calls";
import type { PlatformProblemCode } from "@pro-talent/schemas/primitives/problem";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createLogger } from "../runtime/logger.ts";
import { addCalls } from "./add-calls.ts";
import { buildServer } from "./build-server.ts";
import {
  addPlainForms,
  answerPlainForm,
  answerRefusedForms,
  isPlainForm,
  requestLanguage,
  requireOwnOrigin,
} from "./plain-forms.ts";
import { ProblemError } from "./problem-details.ts";
import { limitRate } from "./rate-limit.ts";

const publicOrigin = "https://talent.example";
const form = "application/x-www-form-urlencoded";

const formCalls = defineCalls({
  "POST /form": {
    summary: "A form",
    access: "public",
    plainForm: true,
    bodyBytesMax: 100,
    body: z.record(z.string(), z.unknown()),
    answer: z.record(z.string(), z.unknown()),
  },
});

/** A service with one form; its refusals are added to `refused`. */
async function service(refusal?: PlatformProblemCode, refused: string[] = []) {
  const app = buildServer({
    publicOrigin: undefined,
    log: createLogger({ service: "test", level: "silent" }),
    onProblem: (code) => refused.push(code),
  });
  await app.register(async (scope) => {
    await limitRate(scope, { writes: 3 });
    addPlainForms(scope);
    addPlainForms(scope);
    requireOwnOrigin(scope, publicOrigin);
    answerRefusedForms(scope, {
      incomplete: "contact-incomplete",
      failed: "contact-failed",
      byCode: { version_conflict: "contact-changed" },
    });
    addCalls(scope, formCalls, {
      "POST /form": async ({ body }, { request }) => {
        if (refusal !== undefined) throw new ProblemError(refusal);
        return isPlainForm(request) ? answerPlainForm("contact-received") : body;
      },
    });
    scope.get("/form", async (request) => ({ language: requestLanguage(request) }));
  });
  const post = (headers: Record<string, string> = {}, payload = "a=1") =>
    app.inject({
      method: "POST",
      url: "/form",
      headers: { "content-type": form, ...headers },
      payload,
    });
  return { app, post };
}

describe("a form that is sent without scripts", () => {
  it.each([form, `${form};charset=UTF-8`, "Application/X-WWW-Form-Urlencoded"])(
    "as %s leads to a page that is not kept by caches",
    async (type) => {
      const { post } = await service();
      const answer = await post({ "content-type": type });
      expect(answer.statusCode).toBe(303);
      expect(answer.headers["location"]).toBe("/answer#contact-received");
      expect(answer.headers["cache-control"]).toBe("no-store");
      expect(answer.body).toBe("");
    },
  );

  it.each([
    ["our own page", { origin: publicOrigin, "sec-fetch-site": "same-origin" }, 303],
    ["a client that names no origin", {}, 303],
    ["another site", { "sec-fetch-site": "cross-site" }, 403],
    ["another origin", { origin: "https://evil.example" }, 403],
    ["our name without encryption", { origin: "http://talent.example" }, 403],
    ["a page that hides its origin", { origin: "null" }, 403],
  ])("by %s is answered %#", async (_who, headers, status) => {
    const { post } = await service();
    expect((await post({ ...headers })).statusCode).toBe(status);
  });

  it.each([
    ["invalid_body" as const, "contact-incomplete"],
    ["ledger_unavailable" as const, "contact-failed"],
    ["internal_error" as const, "contact-failed"],
    ["version_conflict" as const, "contact-changed"],
  ])("and refused with %s leads to a page, and is counted as refused", async (code, outcome) => {
    const refused: string[] = [];
    const { post } = await service(code, refused);
    const answer = await post();
    expect(answer.statusCode).toBe(303);
    expect(answer.headers).toMatchObject({ location: `/answer#${outcome}` });
    expect(answer.headers).not.toHaveProperty("content-type");
    expect(answer.body).toBe("");
    expect(refused).toEqual([code]);
  });

  it.each([
    ["too large", `a=${"x".repeat(200)}`, "body_too_large"],
    ["malformed", "a=%", "bad_request"],
  ])("and %s leads to a page as well", async (_what, payload, code) => {
    const refused: string[] = [];
    const { post } = await service(undefined, refused);
    expect((await post({}, payload)).headers["location"]).toBe("/answer#contact-failed");
    expect(refused).toEqual([code]);
  });

  it("too often from one address is refused; reading is not counted", async () => {
    const refused: string[] = [];
    const { app, post } = await service(undefined, refused);
    for (let index = 0; index < 10; index += 1) await app.inject("/form");
    for (let index = 0; index < 4; index += 1) await post();
    expect(refused).toEqual(["rate_limited"]);
  });
});

describe("the same address for scripts", () => {
  it("takes JSON, and answers refusals as problem details", async () => {
    const { post } = await service();
    const json = { "content-type": "application/json", origin: "https://evil.example" };
    expect((await post(json, '{"a":1}')).json()).toEqual({ a: 1 });
    const refusing = await service("invalid_body");
    const answer = await refusing.post(json, "{}");
    expect(answer.statusCode).toBe(422);
    expect(answer.headers["content-type"]).toContain("application/problem+json");
  });
});

describe("the language of an answer", () => {
  it.each([
    [{}, "en"],
    [{ "accept-language": "iw;q=0.9, fr" }, "he"],
    [{ cookie: "preferred_language=en", "accept-language": "he" }, "en"],
  ])("for %j is %s", async (headers, language) => {
    const { app } = await service();
    const answer = await app.inject({ method: "GET", url: "/form", headers: { ...headers } });
    expect(answer.json()).toEqual({ language });
  });
});
