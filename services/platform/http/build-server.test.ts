import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";

import type { FastifyInstance, InjectOptions } from "fastify";
import { Registry } from "prom-client";
import { afterEach, describe, expect, it } from "vitest";

import { createLogger } from "../runtime/logger.ts";
import { buildServer } from "./build-server.ts";
import { beginDraining } from "./draining.ts";
import { addHealthRoutes } from "./health.ts";

const log = createLogger({ service: "test", level: "silent" });
const servers: FastifyInstance[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

function build(publicOrigin?: string): FastifyInstance {
  const server = buildServer({ log, publicOrigin });
  servers.push(server);
  return server;
}

async function open(server: FastifyInstance): Promise<Socket> {
  const { port } = new URL(await server.listen({ host: "127.0.0.1", port: 0 }));
  const socket = connect(Number(port), "127.0.0.1");
  await once(socket, "connect");
  return socket;
}

describe("every answer", () => {
  it("may be kept by no cache and is what its type says, unless the route decides otherwise", async () => {
    const server = build();
    server.get("/plain", async () => "text");
    server.get("/kept", async (_request, reply) =>
      reply.header("cache-control", "public").send("x"),
    );
    const plain = await server.inject("/plain");
    expect(plain.headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    expect(plain.headers).not.toHaveProperty("strict-transport-security");
    expect((await server.inject("/kept")).headers["cache-control"]).toBe("public");
  });

  it("of a site behind TLS asks for TLS from then on", async () => {
    const answer = await build("https://pro-talent.example").inject("/");
    expect(answer.headers["strict-transport-security"]).toBe("max-age=63072000; includeSubDomains");
    const local = await build("http://localhost:3000").inject("/");
    expect(local.headers).not.toHaveProperty("strict-transport-security");
  });

  it("that fails is not kept, although the route would let caches keep what it answers", async () => {
    const server = build();
    server.get("/", async (_request, reply) => {
      reply.header("cache-control", "public");
      throw new RangeError("failed");
    });
    const answer = await server.inject("/");
    expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([500, "no-store"]);
  });
});

describe("who asks", () => {
  const claims = {
    "x-forwarded-for": "203.0.113.9",
    forwarded: "for=203.0.113.9",
    "x-real-ip": "203.0.113.9",
    "x-client-ip": "203.0.113.9",
    "cf-connecting-ip": "203.0.113.9",
    "true-client-ip": "203.0.113.9",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
  };

  async function seenBy(trustedProxies: readonly string[], request: InjectOptions) {
    const server = buildServer({ log, publicOrigin: undefined, trustedProxies });
    servers.push(server);
    server.get("/", async ({ ip, hostname, protocol }) => ({ ip, hostname, protocol }));
    return (await server.inject({ ...request, url: "/" })).json<unknown>();
  }

  it("is the peer, whatever it claims, unless it is a trusted proxy", async () => {
    for (const trusted of [[], ["10.0.0.0/8"]]) {
      const remoteAddress = "198.51.100.7";
      expect(await seenBy(trusted, { headers: claims, remoteAddress })).toEqual({
        ip: "198.51.100.7",
        hostname: "localhost",
        protocol: "http",
      });
    }
  });

  it("is what a trusted proxy saw by X-Forwarded-For, and by no other header", async () => {
    const remoteAddress = "10.1.2.3";
    const { "x-forwarded-for": forwardedFor, ...others } = claims;
    const seen = { hostname: "localhost", protocol: "http" };
    const of = (headers: Record<string, string>) =>
      seenBy(["10.0.0.0/8"], { headers, remoteAddress });
    expect(await of({ "x-forwarded-for": forwardedFor })).toEqual({ ip: "203.0.113.9", ...seen });
    expect(await of(others)).toEqual({ ip: "10.1.2.3", ...seen });
    expect(await of({ "x-forwarded-for": "1.1.1.1, [2001:DB8::0:7]:4711, 10.9.9.9" })).toEqual({
      ip: "2001:db8::7",
      ...seen,
    });
  });

  it("is read from all lines of the header, as they follow each other", async () => {
    const server = buildServer({ log, publicOrigin: undefined, trustedProxies: ["private"] });
    servers.push(server);
    server.get("/", async ({ ip }) => ip);
    const socket = await open(server);
    const lines = ["198.51.100.1", "203.0.113.9:1", "10.0.0.1"].map(
      (ip) => `X-Forwarded-For: ${ip}`,
    );
    const head = ["GET / HTTP/1.1", "Host: localhost", "Connection: close", ...lines];
    socket.end(`${head.join("\r\n")}\r\n\r\n`);
    expect(await text(socket)).toMatch(/\r\n\r\n203\.0\.113\.9$/);
  });
});

it("an address that cannot be decoded is refused with problem details", async () => {
  const answer = await build("https://pro-talent.example").inject("/%zz");
  expect(answer.json()).toMatchObject({ status: 400, code: "bad_request" });
  expect(answer.headers).toMatchObject({
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "strict-transport-security": "max-age=63072000; includeSubDomains",
  });
});

it("what is no request is refused without a body, with the same headers", async () => {
  const socket = await open(build());
  socket.end("nonsense\r\n\r\n");
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(answer).toContain("\r\nx-content-type-options: nosniff\r\n");
  expect(answer).toMatch(/\r\n\r\n$/);
});

it("a server that is about to stop says so, and answers on connections that it gives up", async () => {
  const server = build();
  addHealthRoutes(server, { ready: [], metrics: new Registry() });
  server.get("/", async () => "done");
  const usual = await server.inject("/healthz");
  expect(usual.json()).toEqual({ status: "ok" });
  expect(usual.headers.connection).toBe("keep-alive");
  beginDraining(server);
  for (const path of ["/healthz", "/readyz"]) {
    expect((await server.inject(path)).statusCode).toBe(503);
  }
  const answer = await server.inject("/");
  expect(answer.body).toBe("done");
  expect(answer.headers.connection).toBe("close");
});

it("a server that closes answers what it has accepted and refuses what comes after", async () => {
  const server = build();
  const [begun, finish] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  server.get("/slow", async () => {
    begun.resolve(undefined);
    await finish.promise;
    return "done";
  });
  const refused = Promise.withResolvers<undefined>();
  server.addHook("onError", async () => refused.resolve(undefined));
  const socket = await open(server);
  const answers = text(socket);
  socket.write("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await begun.promise;
  const closed = server.close();
  socket.write("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await refused.promise;
  finish.resolve(undefined);
  const [first = "", second = ""] = (await answers).split(/(?=HTTP\/1\.1 503)/);
  expect(first).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*done$/);
  expect(second).toMatch(/\r\nx-content-type-options: nosniff\r\n/);
  expect(second).toMatch(/\r\nretry-after: 5\r\n/);
  expect(second).toContain('"code":"shutting_down"');
  await closed;
});
