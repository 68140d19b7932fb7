import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  request,
  type RequestListener,
  type Server,
} from "node:http";
import type { Socket } from "node:net";

import { until } from "@pro-talent/platform/testing/until";
import { Problem } from "@pro-talent/schemas/primitives/problem";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { choosePort } from "../ports.ts";
import { rawRequest } from "../testing/raw-request.ts";
import { type Gateway, type Route, startGateway } from "./start-gateway.ts";

/** A service whose behaviour each test decides. */
class Service {
  handle: RequestListener = (_request, response) => response.end("ok");
  readonly seen: IncomingMessage[] = [];
  connections = 0;
  #server: Server | undefined;

  readonly port: number;

  constructor(port: number) {
    this.port = port;
  }

  async start(): Promise<void> {
    const server = createServer((incoming, response) => {
      this.seen.push(incoming);
      this.handle(incoming, response);
    });
    server.on("connection", () => (this.connections += 1));
    this.#server = server;
    server.listen(this.port, "127.0.0.1");
    await once(server, "listening");
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  }
}

let collector: Service;
let site: Service;
let gateway: Gateway;

function route(prefix: string, port: number, bodyBytesMax: number): Route {
  return { prefix, upstream: { host: "127.0.0.1", port }, bodyBytesMax };
}

beforeEach(async () => {
  collector = new Service(await choosePort());
  site = new Service(await choosePort());
  await Promise.all([collector.start(), site.start()]);
  gateway = await startGateway({
    port: 0,
    routes: [route("/api/analytics", collector.port, 1000), route("/", site.port, 10_000_000)],
  });
});

afterEach(async () => {
  await gateway.close();
  await Promise.all([collector.stop(), site.stop()]);
});

const ask = (path: string, more: { method?: string; headers?: string[]; body?: string } = {}) =>
  rawRequest({ port: gateway.port, path, ...more });

describe("routes", () => {
  test("calls below /api/analytics reach the collector with their full path and query", async () => {
    await ask("/api/analytics/session/start?a=1", { method: "POST", body: "{}" });
    expect(collector.seen.map(({ url, method }) => `${method} ${url}`)).toEqual([
      "POST /api/analytics/session/start?a=1",
    ]);
    expect(site.seen).toEqual([]);
  });

  test("everything else reaches the site, also what only begins like another route", async () => {
    await ask("/");
    await ask("/api/analyticsfoo");
    await ask("/assets/app.js");
    await ask("/api/og?title=CV");
    expect(site.seen.map(({ url }) => url)).toEqual([
      "/",
      "/api/analyticsfoo",
      "/assets/app.js",
      "/api/og?title=CV",
    ]);
    expect(collector.seen).toEqual([]);
  });

  test("localhost answers over IPv6 too where the machine has it", async () => {
    const answer = await fetch(`${gateway.origin}/`);
    expect(await answer.text()).toBe("ok");
  });

  test("paths between services do not exist here", async () => {
    for (const path of ["/internal/consent", "//internal", "/%69nternal", "/x/../metrics"]) {
      const answer = await ask(path);
      expect(answer.status).toBe(404);
      expect(Problem.parse(JSON.parse(answer.body)).code).toBe("not_found");
    }
    expect([...site.seen, ...collector.seen]).toEqual([]);
  });
});

describe("headers", () => {
  test("only the gateway says where a request came from", async () => {
    await ask("/", {
      headers: [
        ["X-Forwarded-For", "203.0.113.9", "x-forwarded-proto", "https"],
        ["Forwarded", "for=203.0.113.9", "X-Real-IP", "203.0.113.9", "X-Forwarded-Host", "evil"],
      ].flat(),
    });
    const [seen] = site.seen;
    expect(seen?.headers["x-forwarded-for"]).toBe("127.0.0.1");
    expect(seen?.headers["x-forwarded-proto"]).toBe("http");
    expect(JSON.stringify(seen?.rawHeaders)).not.toMatch(/203\.0\.113\.9|evil|https/);
  });

  test("all other headers pass untouched, repeated ones and the host included", async () => {
    site.handle = (_request, response) => {
      response.writeHead(200, ["Set-Cookie", "a=1", "Set-Cookie", "b=2", "X-Mixed-Case", "kept"]);
      response.end();
    };
    const headers = ["X-Screen-Resolution", "1x1", "Accept", "a", "Accept", "b", "Sec-GPC", "1"];
    const answer = await ask("/", { headers });
    const seen = site.seen[0]?.rawHeaders ?? [];
    expect(seen.slice(0, headers.length + 2)).toEqual(["Host", "localhost", ...headers]);
    expect(answer.headers["set-cookie"]).toEqual(["a=1", "b=2"]);
    expect(answer.rawHeaders).toContain("X-Mixed-Case");
    expect(answer.rawHeaders.filter((name) => name.toLowerCase() === "date")).toHaveLength(1);
  });

  test("a header that the client ties to its connection ends here", async () => {
    await ask("/", { headers: ["Connection", "close, X-Hop", "X-Hop", "1", "X-Stays", "1"] });
    expect(site.seen[0]?.headers).not.toHaveProperty("x-hop");
    expect(site.seen[0]?.headers).toHaveProperty("x-stays", "1");
  });
});

describe("bodies", () => {
  test("a body reaches the service while the client still sends it, and back likewise", async () => {
    site.handle = (incoming, response) => incoming.pipe(response);
    const received: string[] = [];
    await new Promise<void>((resolve, reject) => {
      const outgoing = request({
        port: gateway.port,
        host: "127.0.0.1",
        path: "/",
        method: "POST",
      });
      outgoing.once("error", reject);
      outgoing.write("first");
      outgoing.once("response", (answer) => {
        answer.on("data", (chunk: Buffer) => {
          // The rest is only sent once the first part has come back.
          if (received.push(chunk.toString()) === 1) outgoing.end("second");
        });
        answer.once("end", resolve);
      });
    });
    expect(received).toEqual(["first", "second"]);
  });

  test("large bodies arrive byte for byte, with a known length and without", async () => {
    site.handle = (incoming, response) => incoming.pipe(response);
    const body = "שלום wörld ".repeat(200_000);
    const known = ["Content-Length", String(Buffer.byteLength(body))];
    for (const headers of [known, ["Transfer-Encoding", "chunked"]]) {
      const answer = await ask("/", { method: "POST", body, headers });
      expect(answer.body === body).toBe(true);
    }
  });

  test("an answer without a body keeps its length header", async () => {
    site.handle = (_request, response) => response.writeHead(200, { "content-length": 7 }).end();
    const answer = await ask("/", { method: "HEAD" });
    expect(answer.headers["content-length"]).toBe("7");
  });

  test("a body larger than the service takes is refused, whether its length is known or not", async () => {
    collector.handle = (incoming, response) => incoming.resume().on("end", () => response.end());
    const body = "x".repeat(3_000_000);
    const known = ["Content-Length", String(body.length)];
    for (const headers of [known, ["Transfer-Encoding", "chunked"]]) {
      const answer = await ask("/api/analytics/x", { method: "POST", body, headers });
      expect(answer.status).toBe(413);
      expect(Problem.parse(JSON.parse(answer.body)).code).toBe("body_too_large");
    }
    const allowed = "x".repeat(1000);
    const headers = ["Content-Length", "1000"];
    const answer = await ask("/api/analytics/x", { method: "POST", body: allowed, headers });
    expect(answer.status).toBe(200);
  });
});

describe("connections", () => {
  test("connections to a service are kept for the next requests", async () => {
    for (let round = 0; round < 20; round += 1) await ask("/");
    expect(site.seen).toHaveLength(20);
    expect(site.connections).toBe(1);
  });

  test("a client that leaves ends the work of the service", async () => {
    let left = false;
    site.handle = (_request, response) => response.once("close", () => (left = true));
    const outgoing = request({ port: gateway.port, host: "127.0.0.1", path: "/" });
    outgoing.on("error", () => undefined);
    outgoing.end();
    await until("the service has the request", () => site.seen.length === 1);
    outgoing.destroy();
    await until("the service sees the client leave", () => left);
    expect(left).toBe(true);
  });

  test("an answer that breaks off is not passed on as a whole one", async () => {
    site.handle = (_request, response) => {
      response.write("half");
      setImmediate(() => response.destroy());
    };
    await expect(ask("/")).rejects.toThrow(/aborted|hang up|ECONNRESET/);
  });
});

describe("a service that restarts", () => {
  test("is answered for with a problem, and reached again once it is back", async () => {
    await ask("/api/analytics/x", { method: "POST", body: "{}" });
    await collector.stop();
    for (const method of ["GET", "POST"]) {
      const down = await ask("/api/analytics/x", { method, body: method === "POST" ? "{}" : "" });
      expect(down.status).toBe(503);
      expect(down.headers["content-type"]).toBe("application/problem+json");
      expect(down.headers["retry-after"]).toBe("1");
      expect(Problem.parse(JSON.parse(down.body)).code).toBe("upstream_unavailable");
    }
    await collector.start();
    expect((await ask("/api/analytics/x")).status).toBe(200);
  });

  test("does not cost a client its request when it closed an idle connection", async () => {
    const sockets: Socket[] = [];
    site.handle = (incoming, response) => {
      sockets.push(incoming.socket);
      // The second request comes over the kept connection, which ends just then.
      if (sockets.length === 2) incoming.socket.resetAndDestroy();
      else response.end("ok");
    };
    await ask("/");
    expect((await ask("/")).body).toBe("ok");
    expect(sockets).toHaveLength(3);
  });
});

describe("the gateway itself", () => {
  test("says so when its port is taken", async () => {
    const second = startGateway({ port: gateway.port, routes: [] });
    await expect(second).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  test("closes although clients keep connections and requests open", async () => {
    site.handle = () => undefined;
    const outgoing = request({ port: gateway.port, host: "127.0.0.1", path: "/" });
    outgoing.on("error", () => undefined);
    outgoing.end();
    await until("the service has the request", () => site.seen.length === 1);
    const from = performance.now();
    await gateway.close();
    expect(performance.now() - from).toBeLessThan(4000);
    await expect(fetch(`http://127.0.0.1:${gateway.port}/`)).rejects.toThrow("fetch failed");
  });

  test("refuses what is no request for this origin", async () => {
    expect((await ask("/%zz")).status).toBe(400);
    expect((await ask("http://localhost/internal")).status).toBe(400);
  });
});

test("the port is the one that was asked for", async () => {
  const port = await choosePort();
  const chosen = await startGateway({ port, routes: [] });
  expect(chosen.origin).toBe(`http://localhost:${port}`);
  expect((await rawRequest({ port, path: "/" })).status).toBe(404);
  await chosen.close();
});
