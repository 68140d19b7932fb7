import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";

import { fetchInOrder } from "./account-api.ts";
import { createApiClient } from "./request.ts";

type Seen = { method: string; url: string; headers: IncomingMessage["headers"]; body: string };

const seen: Seen[] = [];
let answer: { status: number; type: string; body: string; position?: string };
const server = createServer((request: IncomingMessage, response: ServerResponse) => {
  let body = "";
  request.setEncoding("utf8").on("data", (part: string) => {
    body += part;
  });
  request.on("end", () => {
    const { method = "", url = "", headers } = request;
    seen.push({ method, url, headers, body });
    const { status, type, position } = answer;
    if (position !== undefined) response.setHeader("data-position", position);
    response.writeHead(status, { "content-type": type }).end(answer.body);
  });
});
let origin = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  origin = `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`;
});
afterAll(() => server.close());

const json = (status: number, body: unknown, type = "application/json"): void => {
  answer = { status, type, body: JSON.stringify(body) };
};
let refused = 0;
const client = (token: string | null = null, send?: typeof fetch) =>
  createApiClient({
    origin,
    ...(send && { fetch: send }),
    readToken: () => token,
    onUnauthorized: () => {
      refused += 1;
    },
  });

test("a call has its method, path, body and token", async () => {
  json(200, { status: "confirmed", email: "noa@example.com" });
  const body = { token: "t-1" };
  const headers = { "idempotency-key": "k-1" };
  const result = await client("secret").call("POST /api/newsletter/confirm", { body, headers });
  expect(result).toEqual({
    ok: true,
    status: 200,
    answer: { status: "confirmed", email: "noa@example.com" },
  });
  expect(seen.at(-1)).toMatchObject({
    method: "POST",
    url: "/api/newsletter/confirm",
    body: '{"token":"t-1"}',
    headers: {
      "content-type": "application/json",
      authorization: "Bearer secret",
      "idempotency-key": "k-1",
    },
  });
});

test("a query is escaped, and a call without a body sends none", async () => {
  json(200, {});
  await client().call("GET /api/newsletter/preferences", { query: { token: "a b&c" } });
  expect(seen.at(-1)).toMatchObject({
    method: "GET",
    url: "/api/newsletter/preferences?token=a+b%26c",
    body: "",
  });
  expect(seen.at(-1)?.headers).not.toHaveProperty("content-type");
  expect(seen.at(-1)?.headers).not.toHaveProperty("authorization");
});

test("a refusal has its code and text, from a problem as from another answer", async () => {
  json(410, { code: "token_expired", error: " Expired. " }, "application/problem+json");
  const call = () => client().call("POST /api/newsletter/confirm", { body: {} });
  expect(await call()).toEqual({
    ok: false,
    status: 410,
    code: "token_expired",
    error: "Expired.",
  });
  json(409, { status: "already_subscribed", error: { odd: true } });
  expect(await call()).toMatchObject({ code: "already_subscribed", error: undefined });
  answer = { status: 502, type: "text/html", body: "<h1>Bad gateway</h1>" };
  expect(await call()).toEqual({ ok: false, status: 502, code: undefined, error: undefined });
});

test("what is not JSON is no answer, and a 401 is reported", async () => {
  answer = { status: 200, type: "text/html", body: "<h1>Sign in to this network</h1>" };
  const call = () => client().call("POST /api/newsletter/confirm", { body: {} });
  expect(await call()).toEqual({ ok: true, status: 200, answer: undefined });
  json(401, { code: "unauthorized" });
  expect(await call()).toMatchObject({ ok: false, code: "unauthorized" });
  expect(refused).toBe(1);
});

test("the greatest position that any tab received is sent along with signed-in calls", async () => {
  const call = async (token: string, received?: string) => {
    json(200, {});
    if (received !== undefined) answer.position = received;
    await client(token, fetchInOrder).call("POST /api/newsletter/confirm", { body: {} });
    return seen.at(-1)?.headers["data-position"];
  };
  expect(await call("secret", "000000000000000b")).toBeUndefined();
  // An answer that was overtaken.
  expect(await call("secret", "000000000000000a")).toBe("000000000000000b");
  expect(await call("secret")).toBe("000000000000000b");
  const tab = new BroadcastChannel("data-position");
  tab.postMessage("000000000000000c");
  await expect.poll(() => call("secret")).toBe("000000000000000c");
  tab.close();
});

test("paths, bodies and codes are those of the contract", () => {
  const { call } = client();
  // @ts-expect-error -- no such call
  const wrongName = () => call("POST /api/newsletter/confirmed", { body: {} });
  // @ts-expect-error -- a subject is missing
  const wrongBody = () => call("POST /api/contact/send", { body: { name: "Noa" } });
  const wrongCode = async () => {
    const result = await call("POST /api/contact/send", {
      body: { name: "", email: "", subject: "", subjectCategory: "bug", message: "" },
    });
    // @ts-expect-error -- not a problem of this call
    return !result.ok && result.code === "token_used";
  };
  expect([wrongName, wrongBody, wrongCode]).toHaveLength(3);
});
