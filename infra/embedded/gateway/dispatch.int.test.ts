import { once } from "node:events";
import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type RequestListener,
  type Server,
} from "node:http";
import { json, text } from "node:stream/consumers";

import { buildServer } from "@pro-talent/platform/http/build-server";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { until } from "@pro-talent/platform/testing/until";
import { Problem } from "@pro-talent/schemas/primitives/problem";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { choosePort } from "../ports.ts";
import { rawRequest } from "../testing/raw-request.ts";
import { Gateway } from "./dispatch.ts";

/** A handler whose behaviour each test decides. */
class Handler {
  handle: RequestListener = (_request, response) => response.end("ok");
  readonly seen: IncomingMessage[] = [];

  readonly listener: RequestListener = (incoming, response) => {
    this.seen.push(incoming);
    this.handle(incoming, response);
  };
}

let collector: Handler;
let site: Handler;
let gateway: Gateway;
let port: number;

beforeEach(async () => {
  collector = new Handler();
  site = new Handler();
  gateway = new Gateway();
  port = await choosePort();
  const { app } = service();
  await app.ready();
  await gateway.listen(await listening(port), [
    { prefix: "/", handle: site.listener },
    { prefix: "/api/analytics", handle: collector.listener },
    { prefix: "/api/service", handle: (incoming, response) => app.routing(incoming, response) },
  ]);
});

afterEach(() => gateway.close());

/** A socket that listens, as another process passes it on. */
async function listening(onPort: number): Promise<Server> {
  const server = createServer().listen(onPort, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** A service as the product builds it; it answers with what it knows about the caller. */
function service() {
  const app = buildServer({
    publicOrigin: undefined,
    log: createLogger({ service: "test", level: "silent" }),
    bodyBytesMax: 1000,
  });
  app.all("/api/service/caller", async ({ ip, protocol, host }) => ({ ip, protocol, host }));
  app.post("/api/service/body", async () => "taken");
  return { app };
}

const answerTo = (outgoing: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => outgoing.once("response", resolve).once("error", reject));
const address = () => ({ host: "127.0.0.1", port, path: "/api/service/body" });
const ask = (path: string, more: { method?: string; headers?: string[]; body?: string } = {}) =>
  rawRequest({ port, path, ...more });

describe("routes", () => {
  test("calls below /api/analytics reach the collector with their full path and query", async () => {
    await ask("/api/analytics/session/start?a=1", { method: "POST", body: "{}" });
    expect(collector.seen.map(({ url, method }) => `${method} ${url}`)).toEqual([
      "POST /api/analytics/session/start?a=1",
    ]);
    expect(site.seen).toEqual([]);
  });

  test("everything else reaches the site, also what only begins like another route", async () => {
    const paths = ["/", "/api/analyticsfoo", "/assets/app.js", "/api/og?title=CV"];
    for (const path of paths) await ask(path);
    expect(site.seen.map(({ url }) => url)).toEqual(paths);
    expect(collector.seen).toEqual([]);
  });

  test("paths between services do not exist here", async () => {
    for (const path of ["/internal/consent", "//internal", "/%69nternal", "/x/../metrics"]) {
      const answer = await ask(path);
      expect(answer.status).toBe(404);
      expect(Problem.parse(JSON.parse(answer.body)).code).toBe("not_found");
    }
    expect([...site.seen, ...collector.seen]).toEqual([]);
  });

  test("what is no request for this origin is refused", async () => {
    for (const path of ["/%zz", "http://localhost/internal"]) {
      const answer = await ask(path);
      expect(answer.status).toBe(400);
      expect(Problem.parse(JSON.parse(answer.body)).code).toBe("bad_request");
    }
  });
});

describe("headers", () => {
  test("a client cannot claim another address, scheme or host", async () => {
    const forwarding = ["X-Forwarded-For", "203.0.113.9", "X-Forwarded-Proto", "https"];
    const others = ["Forwarded", "for=203.0.113.9", "X-Real-IP", "1.1.1.1"];
    const headers = [...forwarding, ...others, "X-Forwarded-Host", "evil"];
    const answer = await ask("/api/service/caller", { headers });
    expect(JSON.parse(answer.body)).toEqual({
      ip: "127.0.0.1",
      protocol: "http",
      host: "localhost",
    });
  });

  test("all headers pass untouched, repeated ones and the host included", async () => {
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
  });
});

describe("bodies", () => {
  test("large bodies arrive byte for byte, with a known length and without", async () => {
    site.handle = (incoming, response) => incoming.pipe(response);
    const body = "שלום wörld ".repeat(200_000);
    const known = ["Content-Length", String(Buffer.byteLength(body))];
    for (const headers of [known, ["Transfer-Encoding", "chunked"]]) {
      const answer = await ask("/", { method: "POST", body, headers });
      expect(answer.body === body).toBe(true);
    }
  });

  test("one larger than the service takes is refused early, and the connection stays usable", async () => {
    const body = JSON.stringify("x".repeat(30_000_000));
    for (const length of [
      ["Content-Length", String(body.length)],
      ["Transfer-Encoding", "chunked"],
    ]) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const headers = ["Host", "localhost", "Content-Type", "application/json"];
      const refused = request({
        ...address(),
        method: "POST",
        headers: [...headers, ...length],
        agent,
      });
      refused.end(body);
      const answer = await answerTo(refused);
      expect(answer.statusCode).toBe(413);
      expect(Problem.parse(await json(answer)).code).toBe("body_too_large");
      const next = request({ ...address(), method: "POST", headers, agent });
      next.end("{}");
      expect(await text(await answerTo(next))).toBe("taken");
      expect(next.socket === refused.socket).toBe(true);
      agent.destroy();
    }
  });
});

describe("closing", () => {
  test("ends although clients keep connections and requests open", async () => {
    site.handle = () => undefined;
    const outgoing = request({ port, host: "127.0.0.1", path: "/" });
    outgoing.on("error", () => undefined);
    outgoing.end();
    await until("the handler has the request", () => site.seen.length === 1);
    const from = performance.now();
    await gateway.close();
    expect(performance.now() - from).toBeLessThan(4000);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow("fetch failed");
  });
});
