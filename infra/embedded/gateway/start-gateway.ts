import {
  Agent,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { setTimeout as delay } from "node:timers/promises";

import { choosePort } from "../ports.ts";
import { type Upstream, forward } from "./forward.ts";
import { answerProblem } from "./problem.ts";
import { readTarget } from "./target.ts";

export type GatewayOptions = {
  /** Port of the one origin; 0 takes a free one. */
  port: number;
  /** Paths below a prefix go to its upstream; the first that fits counts, `/` fits everything. */
  routes: readonly Route[];
};

export type Route = { prefix: string; upstream: Upstream; bodyBytesMax: number };

export type Gateway = { origin: string; port: number; close: () => Promise<void> };

/** Requests that are still being answered when the gateway closes get this long. */
const CLOSE_GRACE_MS = 2000;
/** Browsers resolve `localhost` to either; a machine without IPv6 lacks the second. */
const LOOPBACK = ["127.0.0.1", "::1"] as const;

/**
 * One origin in front of all services, on loopback. Bodies are streamed both ways and headers pass
 * untouched, except that forwarding headers are set here and never taken from the client. Paths
 * between services (`/internal`, `/metrics`) do not exist here. A service that cannot be reached is
 * answered for with a 503 problem `upstream_unavailable`.
 * @throws when the port is taken
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const port = options.port === 0 ? await choosePort() : options.port;
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 });
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const target = readTarget(request.url ?? "");
    if (target === "malformed") answerProblem(response, "bad_request");
    else if (target.isPrivate) answerProblem(response, "not_found");
    else {
      const route = options.routes.find(({ prefix }) => isBelow(target.path, prefix));
      if (route === undefined) answerProblem(response, "not_found");
      else forward({ request, response, agent, ...route });
    }
  };
  const servers: Server[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(servers.map(closeServer));
    agent.destroy();
  };
  try {
    for (const host of LOOPBACK) {
      const server = createServer({ keepAliveTimeout: 72_000, requestTimeout: 60_000 }, handle);
      if (await listen(server, port, host)) servers.push(server);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { origin: `http://localhost:${port}`, port, close };
}

function isBelow(path: string, prefix: string): boolean {
  return prefix === "/" || path === prefix || path.startsWith(`${prefix}/`);
}

/** False when the machine has no such address at all. */
function listen(server: Server, port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const absent = error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT";
      if (absent) resolve(false);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => resolve(true));
  });
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  await Promise.race([closed, delay(CLOSE_GRACE_MS, undefined, { ref: false })]);
  server.closeAllConnections();
  await closed;
}
