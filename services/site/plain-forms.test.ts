import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { addPlainFormRoutes } from "./plain-forms.ts";

let app: FastifyInstance;
beforeAll(async () => {
  app = Fastify();
  await app.register(async (scope) => addPlainFormRoutes(scope));
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
