import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Server as NetServer, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

import { answerProblem } from "./problem.ts";
import { readTarget } from "./target.ts";

/** Paths below a prefix are answered by its handler; `/` takes everything. */
export type Route = { prefix: string; handle: RequestListener };

/** Requests that are still being answered when the gateway closes get this long. */
const CLOSE_GRACE_MS = 2000;

/**
 * One origin in front of all services of this process: passes each request to the one that owns its
 * path, untouched and without a copy. Paths between services (`/internal`, `/metrics`) do not exist
 * here.
 */
export class Gateway {
  readonly #servers: Server[] = [];
  #routes: readonly Route[] = [];

  /** Accepts connections on a socket that listens already, and dispatches them by these routes. */
  async listen(socket: NetServer, routes: readonly Route[]): Promise<void> {
    // The most specific first.
    this.#routes = routes.toSorted((left, right) => right.prefix.length - left.prefix.length);
    const server = createServer(
      { keepAliveTimeout: 72_000, requestTimeout: 60_000 },
      (request, response) => this.#handle(request, response),
    );
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(socket, resolve));
  }

  /** Answers on a connection that another process has accepted, once {@link listen} was called. */
  take(connection: Socket): void {
    const [server] = this.#servers;
    if (server === undefined) connection.destroy();
    else server.emit("connection", connection);
  }

  /** Accepts no more connections, and ends the present ones with their answers. */
  async close(): Promise<void> {
    await Promise.all(this.#servers.splice(0).map(closeServer));
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const target = readTarget(request.url ?? "");
    if (target === "malformed") return answerProblem(response, "bad_request");
    const route = this.#routes.find(({ prefix }) => isBelow(target.path, prefix));
    if (target.isPrivate || route === undefined) answerProblem(response, "not_found");
    else route.handle(request, response);
  }
}

function isBelow(path: string, prefix: string): boolean {
  return prefix === "/" || path === prefix || path.startsWith(`${prefix}/`);
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  await Promise.race([closed, delay(CLOSE_GRACE_MS, undefined, { ref: false })]);
  server.closeAllConnections();
  await closed;
}
