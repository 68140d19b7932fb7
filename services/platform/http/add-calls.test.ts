import { defineCalls } from "@pro-talent/schemas/primitives/calls";
import { defineProblems } from "@pro-talent/schemas/primitives/problem";
import type { FastifyInstance } from "fastify";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { createLogger } from "../runtime/logger.ts";
import { addCalls, AnswerWith, SeeOther } from "./add-calls.ts";
import { buildServer } from "./build-server.ts";
import { ProblemError } from "./problem-details.ts";

const orderProblems = defineProblems({
  order_unknown: [404, "No such order."],
  order_shipped: [409, "The order was shipped."],
});
const orderCalls = defineCalls({
  "GET /api/orders/:id": {
    summary: "One order",
    access: "public",
    params: z.object({ id: z.uuid() }),
    query: z.object({ page: z.coerce.number().int().positive().default(1) }),
    answer: z.object({ id: z.uuid(), page: z.number() }),
    problems: [orderProblems.order_unknown],
  },
  "POST /api/orders": {
    summary: "A new order",
    access: "public",
    body: z.object({ title: z.string().trim().min(1).max(5) }),
    answer: z.object({ title: z.string() }),
    status: 201,
    also: { 409: z.object({ status: z.literal("twice") }) },
  },
});
const id = "0190d7a4-3c1e-7b6a-9d2f-1a2b3c4d5e6f";

function service(onPost: (title: string) => unknown): FastifyInstance {
  const app = buildServer({
    publicOrigin: undefined,
    log: createLogger({ service: "test", level: "silent" }),
  });
  addCalls(app, orderCalls, {
    "GET /api/orders/:id": async ({ params, query }, { refuse }) =>
      params.id === id ? { id, page: query.page, secret: "never sent" } : refuse("order_unknown"),
    "POST /api/orders": {
      read: (body) => body,
      handle: async ({ body }) => {
        const answer = onPost(body.title);
        return answer instanceof SeeOther || answer instanceof AnswerWith
          ? answer
          : { title: String(answer) };
      },
    },
  });
  return app;
}

const post = (app: FastifyInstance, title: unknown) =>
  app.inject({ method: "POST", url: "/api/orders", payload: { title } });

describe("a call that is served by its definition", () => {
  it("gives the handler parsed parts and sends only what the contract names", async () => {
    const answer = await service(() => "").inject(`/api/orders/${id}?page=3`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.json()).toEqual({ id, page: 3 });
  });

  it("answers with the definition's status", async () => {
    const answer = await post(
      service((title) => title),
      " tea ",
    );
    expect([answer.statusCode, answer.json()]).toEqual([201, { title: "tea" }]);
  });

  it.each([
    ["an address that cannot exist", "/api/orders/7", 404, "not_found"],
    ["a query of the wrong form", `/api/orders/${id}?page=x`, 400, "bad_request"],
    ["one of its own problems", `/api/orders/${id.replace("0", "1")}`, 404, "order_unknown"],
  ])("refuses %s", async (_what, url, status, code) => {
    const answer = await service(() => "").inject(url);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ status, code });
  });

  it("names the fields of a wrong body", async () => {
    const answer = await post(
      service(() => ""),
      "much too long",
    );
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ code: "invalid_body", errors: [{ pointer: "/title" }] });
  });

  it("sends redirects and further answers", async () => {
    const redirected = await post(
      service(() => new SeeOther("/answer#sent")),
      "tea",
    );
    expect([redirected.statusCode, redirected.headers.location]).toEqual([303, "/answer#sent"]);
    const twice = await post(
      service(() => new AnswerWith(409, { status: "twice", more: 1 })),
      "tea",
    );
    expect([twice.statusCode, twice.json()]).toEqual([409, { status: "twice" }]);
  });

  it.each([
    [
      "a problem that the call does not declare",
      () => new ProblemError(orderProblems.order_shipped),
    ],
    ["an answer that the call does not have", () => new AnswerWith(418, {})],
  ])("fails as an internal error on %s", async (_what, make) => {
    const answer = await post(
      service(() => {
        const made = make();
        if (made instanceof ProblemError) throw made;
        return made;
      }),
      "tea",
    );
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toMatchObject({ code: "internal_error" });
  });
});
