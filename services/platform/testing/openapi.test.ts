import { httpApi } from "@pro-talent/schemas/http-api";
import { defineCalls } from "@pro-talent/schemas/primitives/calls";
import { defineProblems } from "@pro-talent/schemas/primitives/problem";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { httpReference, openApiDocument } from "./openapi.ts";

const document = openApiDocument("Pro Talent", httpApi);

describe("the documents of the HTTP API", () => {
  it("are those that follow from the calls (vitest -u writes them)", async () => {
    const docs = "../../../infra/docs";
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(
      `${docs}/openapi.json`,
    );
    await expect(httpReference(httpApi)).toMatchFileSnapshot(`${docs}/http-reference.md`);
  });

  it("describe every call once, with a summary of its own", () => {
    const summaries = Object.values(httpApi).map(({ summary }) => summary);
    expect(new Set(summaries).size).toBe(Object.keys(httpApi).length);
  });

  it("refer to nothing that is not in them", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(0);
    const { components } = z
      .object({ components: z.record(z.string(), z.record(z.string(), z.unknown())) })
      .parse(document);
    const named = Object.entries(components).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
    );
    expect(named).toEqual(expect.arrayContaining(references.map(([, target]) => target)));
  });
});

describe("an OpenAPI document", () => {
  const orders = defineProblems({ order_unknown: [404, "No such order."] });
  const calls = defineCalls({
    "POST /api/orders/:id": {
      summary: "Changes an order",
      params: z.object({ id: z.uuid() }),
      body: z.object({ title: z.string(), note: z.string().default("") }),
      answer: z.object({ title: z.string() }),
      status: 202,
      plainForm: true,
      access: "internal",
      problems: [orders.order_unknown],
    },
  });

  it("describes parameters, what clients send, answers and problems of a call", () => {
    expect(openApiDocument("Orders", calls)).toMatchObject({
      openapi: "3.1.0",
      paths: {
        "/api/orders/{id}": {
          post: {
            security: [{ internalToken: [] }],
            parameters: [{ name: "id", in: "path", required: true }],
            requestBody: {
              required: true,
              content: {
                "application/json": { schema: { required: ["title"] } },
                "application/x-www-form-urlencoded": {},
              },
            },
            responses: {
              202: { content: { "application/json": { schema: { required: ["title"] } } } },
              303: {},
              404: { description: "order_unknown" },
              default: {},
            },
          },
        },
      },
    });
  });
});
