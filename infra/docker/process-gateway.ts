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

import { answerFor, siteHandles } from "./caddy-routes.ts";

/** Browsers resolve `localhost` to either. */
const loopback = ["127.0.0.1", "::1"] as const;
/** What is private to a connection, and is not passed on. */
const hopByHop = ["connection", "keep-alive", "transfer-encoding", "upgrade"] as const;

const besideBytesMax = 64_000;

class TooLarge extends Error {
  override readonly name = "TooLarge";
}

/** What the Caddyfile sets where a service has not. */
const defaults = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/**
 * One origin in front of services that run as processes: routes, limits of bodies and headers are those of the
 * Caddyfile, which is read.
 * @param portOf where a service listens on this machine
 * @param options.beside services that the Caddyfile does not know, by the first part of their paths
 */
export async function openProcessGateway(
  portOf: (service: string) => number,
  { port, beside }: { port: number; beside: ReadonlyMap<string, string> },
): Promise<{ close: () => Promise<void> }> {
  const agent = new Agent({ keepAlive: true });
  const handle: RequestListener = (request, response) => {
    const [first = ""] = request.url?.match(/^\/[^/?]*/u) ?? [];
    const added = beside.get(first);
    const answer =
      added === undefined
        ? answerFor(siteHandles, request.url ?? "")
        : { service: added, bytesMax: besideBytesMax };
    if (answer === undefined) return end(response, 400);
    if ("status" in answer) return end(response, answer.status);
    const target = { agent, port: portOf(answer.service), bytesMax: answer.bytesMax };
    passOn(request, response, target).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else end(response, error instanceof TooLarge ? 413 : 502);
    });
  };
  const servers = await Promise.all(loopback.map((host) => listen(handle, port, host)));
  return {
    close: async () => {
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
  const server = createServer({ keepAliveTimeout: 72_000 }, handle);
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

/** A header that names the client is replaced, as by a proxy that trusts no one before it. */
function headersFor(request: IncomingMessage): NodeJS.Dict<string | string[]> {
  const headers: NodeJS.Dict<string | string[]> = {
    ...request.headers,
    "x-forwarded-for": request.socket.remoteAddress ?? "",
    "x-forwarded-proto": "http",
    "x-forwarded-host": request.headers.host ?? "",
  };
  for (const name of hopByHop) Reflect.deleteProperty(headers, name);
  return headers;
}

type Target = { readonly agent: Agent; readonly port: number; readonly bytesMax: number };

/** @throws {TooLarge}, or when the service does not answer */
async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  { agent, port, bytesMax }: Target,
): Promise<void> {
  if (Number(request.headers["content-length"] ?? 0) > bytesMax) throw new TooLarge();
  const { method = "GET", url: path = "/" } = request;
  const asked = openRequest({
    host: "127.0.0.1",
    agent,
    port,
    method,
    path,
    headers: headersFor(request),
  });
  response.once("close", () => asked.destroy());
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    asked.once("response", resolve).on("error", reject);
  });
  const sent = pipeline(request, limitedTo(bytesMax), asked);
  const answer = await Promise.race([answered, sent.then(() => answered)]);
  // An answer may come before all of the body was read.
  sent.catch(() => undefined);
  const headers = { ...defaults, ...answer.headers };
  for (const name of [...hopByHop, "server"]) Reflect.deleteProperty(headers, name);
  response.writeHead(answer.statusCode ?? 502, headers);
  response.flushHeaders();
  await pipeline(answer, response);
}

function limitedTo(bytesMax: number) {
  return async function* bounded(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new TooLarge();
      yield chunk;
    }
  };
}
