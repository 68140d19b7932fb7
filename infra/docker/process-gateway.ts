import {
  Agent,
  createServer,
  type IncomingMessage,
  request as openRequest,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";

import { type Answer, policy } from "./caddy-routes.ts";
import { InstancePool } from "./instance-pool.ts";

/** Browsers resolve `localhost` to either. */
const loopback = ["127.0.0.1", "::1"] as const;
/** What is private to a connection, and is not passed on. */
const hopByHop = ["connection", "keep-alive", "transfer-encoding", "upgrade"] as const;
/** What the Caddyfile sets where a service has not. */
const defaults = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

class TooLarge extends Error {
  override readonly name = "TooLarge";
}

/** Requests, and how often one was repeated, or got no answer. */
type GatewayCounts = { requests: number; repeated: number; unanswered: number };
export type ProcessGateway = Awaited<ReturnType<typeof openProcessGateway>>;

/**
 * One origin in front of services that run as processes, as the gateway of the containers is: headers, limits of
 * bodies, health checks, turns and repetitions are those of the Caddyfile, which is read. Unlike Caddy it reads a
 * body before it passes it on.
 * @param options.answerOf who answers a request target; undefined where it is malformed
 * @param options.instancesOf where the processes of a service are, as in http://127.0.0.1:3000
 */
export async function openProcessGateway({
  port,
  answerOf,
  instancesOf,
}: {
  readonly port: number;
  readonly answerOf: (url: string) => Answer | undefined;
  readonly instancesOf: (service: string) => readonly string[];
}) {
  const agent = new Agent({ keepAlive: true, timeout: policy.keepAliveMs });
  const counts: GatewayCounts = { requests: 0, repeated: 0, unanswered: 0 };
  const pools = new Map<string, InstancePool>();
  const poolOf = (service: string): InstancePool => {
    const pool = pools.get(service) ?? new InstancePool(instancesOf(service));
    pools.set(service, pool);
    return pool;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const wanted = answerOf(request.url ?? "");
    if (wanted === undefined) return end(response, 400);
    if ("status" in wanted) return end(response, wanted.status);
    const body = await bodyOf(request, wanted.bytesMax);
    counts.requests += 1;
    const asking = { agent, pool: poolOf(wanted.service), counts };
    await passBack(await ask(asking, { request, response, body }), response);
  };
  const handle: RequestListener = (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) return void response.destroy();
      if (!(error instanceof TooLarge)) counts.unanswered += 1;
      return end(response, error instanceof TooLarge ? 413 : 502);
    });
  };
  const servers = await Promise.all(loopback.map((host) => listen(handle, port, host)));
  return {
    url: `http://127.0.0.1:${port}`,
    counts: counts as Readonly<GatewayCounts>,
    close: async (): Promise<void> => {
      for (const pool of pools.values()) pool.stop();
      agent.destroy();
      await Promise.all(servers.map(close));
    },
  };
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, { ...defaults, connection: "close" }).end();
}

/** Undefined when the machine has no such address. */
function listen(handle: RequestListener, port: number, host: string): Promise<Server | undefined> {
  // Longer than callers keep a connection: what they lose by reusing one that ends says nothing about services.
  const server = createServer({ keepAliveTimeout: 300_000 }, handle);
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT"
        ? resolve(undefined)
        : reject(error),
    );
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}

async function close(server: Server | undefined): Promise<void> {
  const closed = new Promise((resolve) => server?.close(resolve) ?? resolve(undefined));
  server?.closeAllConnections();
  await closed;
}

/** @throws {TooLarge} */
async function bodyOf(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > bytesMax) throw new TooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  // As nothing decodes it, it comes in bytes.
  const stream: AsyncIterable<Buffer> = request;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new TooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
};

/** Asks one instance after another, as long as Caddy does. @throws when none answers */
async function ask(
  { agent, pool, counts }: { agent: Agent; pool: InstancePool; counts: GatewayCounts },
  exchange: Exchange,
): Promise<IncomingMessage> {
  const from = performance.now();
  for (;;) {
    const instance = pool.next();
    try {
      if (instance !== undefined) return await forward(agent, instance.url, exchange);
    } catch (error) {
      instance?.failed();
      if (!isDialError(error) && !mayBeRepeated(exchange.request)) throw error;
    }
    if (performance.now() - from > policy.tryMs) throw new Error("no instance answers");
    counts.repeated += 1;
    await delay(policy.pauseMs);
  }
}

/** What never reached an instance may be sent to another one. */
const isDialError = (error: unknown): boolean =>
  error instanceof Error && "syscall" in error && error.syscall === "connect";

const mayBeRepeated = ({ method = "", headers }: IncomingMessage): boolean =>
  policy.methods.includes(method) || headers[policy.header] !== undefined;

/** @throws the error of the connection when it breaks before the answer */
function forward(
  agent: Agent,
  instanceUrl: string,
  { request, response, body }: Exchange,
): Promise<IncomingMessage> {
  const { method = "GET", url: path = "/", headers, socket } = request;
  // A header that names the client is replaced, as by a proxy that trusts no one before it.
  const sent: NodeJS.Dict<string | string[]> = {
    ...headers,
    "x-forwarded-for": socket.remoteAddress ?? "",
    "x-forwarded-proto": "http",
    "x-forwarded-host": headers.host ?? "",
    ...((body.length > 0 || "transfer-encoding" in headers) && {
      "content-length": String(body.length),
    }),
  };
  for (const name of hopByHop) Reflect.deleteProperty(sent, name);
  return new Promise((resolve, reject) => {
    const { hostname: host, port } = new URL(instanceUrl);
    const asked = openRequest({ host, port, agent, method, path, headers: sent }, resolve);
    asked.on("error", reject).end(body);
    response.once("close", () => asked.destroy());
  });
}

async function passBack(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = { ...defaults, ...answer.headers };
  for (const name of [...hopByHop, "server"]) Reflect.deleteProperty(headers, name);
  response.writeHead(answer.statusCode ?? 502, headers);
  response.flushHeaders();
  await pipeline(answer, response);
}
