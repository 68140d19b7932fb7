import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer as createHttpServer, Server as HttpServer } from "node:http";
import { createServer, type Server, type Socket } from "node:net";

import { choosePort } from "../ports.ts";
import { answerProblem } from "./problem.ts";

/** Browsers resolve `localhost` to either; a machine without IPv6 lacks the second. */
const LOOPBACK = ["127.0.0.1", "::1"] as const;
const ACCEPT_WITHIN_MS = 10_000;
/** The message with which a listening socket is passed on; the answer is any message. */
export const PUBLIC_PORT = "public port";
/** The message with which a connection is passed on whose request is unread. */
export const WAITING_CONNECTION = "waiting connection";

/**
 * The port of the one origin, on loopback. Connections wait, unread, for the first process that takes
 * the port over. After that, while no process has it, every request is answered with a 503 problem
 * `upstream_unavailable`.
 */
export class PublicPort {
  readonly port: number;
  #servers: Server[] = [];
  readonly #waiting = new Set<Socket>();
  #closed = false;

  private constructor(port: number) {
    this.port = port;
  }

  /**
   * @param wanted 0 takes a free one
   * @throws when the port is taken
   */
  static async open(wanted: number): Promise<PublicPort> {
    const port = new PublicPort(wanted === 0 ? await choosePort() : wanted);
    await port.#listen(() => port.#serverThatWaits());
    return port;
  }

  get origin(): string {
    return `http://localhost:${this.port}`;
  }

  /**
   * Gives the port to a process, which answers from then on; resolves when it does.
   * @throws when the process ends meanwhile
   */
  async handOver(child: ChildProcess): Promise<void> {
    await this.takeBack();
    for (const server of this.#servers) {
      const accepted = once(child, "message", { signal: AbortSignal.timeout(ACCEPT_WITHIN_MS) });
      accepted.catch(() => undefined);
      await new Promise<void>((resolve, reject) => {
        child.send(PUBLIC_PORT, server, (error) => (error === null ? resolve() : reject(error)));
      });
      await accepted;
    }
    await this.#stopListening();
    // A process that ends meanwhile ends its connections too.
    for (const socket of this.#waiting) child.send(WAITING_CONNECTION, socket, () => undefined);
    this.#waiting.clear();
  }

  /**
   * Listens again, unless it does already, after the process that had the port has ended.
   * @throws when another program has taken the port
   */
  async takeBack(): Promise<void> {
    if (this.#closed || this.#servers.length > 0) return;
    await this.#listen(serverThatRefuses);
  }

  /** Leaves the port for good. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const socket of this.#waiting) socket.destroy();
    await this.#stopListening();
  }

  /** A connection of which nothing has been read can be passed on to another process. */
  #serverThatWaits(): Server {
    return createServer({ pauseOnConnect: true }, (socket) => {
      this.#waiting.add(socket);
      socket.on("error", () => undefined).once("close", () => this.#waiting.delete(socket));
    });
  }

  async #listen(create: () => Server): Promise<void> {
    try {
      for (const host of LOOPBACK) {
        const server = await listen(create(), this.port, host);
        if (server !== undefined) this.#servers.push(server);
      }
    } catch (error) {
      await this.#stopListening();
      throw error;
    }
  }

  async #stopListening(): Promise<void> {
    const servers = this.#servers.splice(0);
    await Promise.all(
      servers.map(async (server) => {
        const closed = new Promise((resolve) => server.close(resolve));
        // Connections that wait are not to end.
        if (!(server instanceof HttpServer)) return;
        server.closeAllConnections();
        await closed;
      }),
    );
  }
}

function serverThatRefuses(): Server {
  return createHttpServer((request, response) => {
    response.setHeader("connection", "close");
    // A client that is still sending would lose an answer that closes the connection.
    request.resume().once("end", () => answerProblem(response, "upstream_unavailable"));
  });
}

/** Undefined when the machine has no such address at all. */
function listen(server: Server, port: number, host: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const absent = error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT";
      if (absent) resolve(undefined);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}
