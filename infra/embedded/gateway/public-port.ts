import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";

import { choosePort } from "../ports.ts";
import { answerProblem } from "./problem.ts";

/** Browsers resolve `localhost` to either; a machine without IPv6 lacks the second. */
const LOOPBACK = ["127.0.0.1", "::1"] as const;
const ACCEPT_WITHIN_MS = 10_000;
/** The message with which a listening socket is passed on; the answer is any message. */
export const PUBLIC_PORT = "public port";

/**
 * The port of the one origin, on loopback. This process listens on it and answers every request with
 * a 503 problem `upstream_unavailable`, except while another process has taken it over.
 */
export class PublicPort {
  readonly port: number;
  #servers: Server[] = [];
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
    await port.takeBack();
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
  }

  /**
   * Listens again, unless it does already, after the process that had the port has ended.
   * @throws when another program has taken the port
   */
  async takeBack(): Promise<void> {
    if (this.#closed || this.#servers.length > 0) return;
    try {
      for (const host of LOOPBACK) {
        const server = await listen(this.port, host);
        if (server !== undefined) this.#servers.push(server);
      }
    } catch (error) {
      await this.#stopListening();
      throw error;
    }
  }

  /** Leaves the port for good. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#stopListening();
  }

  async #stopListening(): Promise<void> {
    const servers = this.#servers.splice(0);
    await Promise.all(
      servers.map((server) => {
        const closed = new Promise((resolve) => server.close(resolve));
        server.closeAllConnections();
        return closed;
      }),
    );
  }
}

/** Undefined when the machine has no such address at all. */
function listen(port: number, host: string): Promise<Server | undefined> {
  const server = createServer((request, response) => {
    response.setHeader("connection", "close");
    // A client that is still sending would lose an answer that closes the connection.
    request.resume().once("end", () => answerProblem(response, "upstream_unavailable"));
  });
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const absent = error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT";
      if (absent) resolve(undefined);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}
