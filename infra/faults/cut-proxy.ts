import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

import { choosePort } from "../embedded/ports.ts";

/** A port that leads to another one of this machine, once that is known, until it is disturbed. */
export async function startCutProxy(): Promise<CutProxy> {
  const proxy = new CutProxy(await choosePort());
  await proxy.listen();
  return proxy;
}

export class CutProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  /** Of connections that were taken while it stands still. */
  readonly #held: Socket[] = [];
  #target = 0;
  #state: "open" | "cut" | "halted" = "open";
  #breaking: RegExp | undefined;
  #broken = 0;

  constructor(port: number) {
    this.port = port;
    this.#server = createServer((client) => this.#take(client));
  }

  async listen(): Promise<void> {
    this.#server.listen(this.port, "127.0.0.1");
    await once(this.#server, "listening");
  }

  leadTo(port: number): void {
    this.#target = port;
  }

  /** Ends what is connected, and each new connection. */
  cut(): void {
    this.#state = "cut";
    this.#endAll();
  }

  /** New connections are taken and nothing is answered, as by a process that stands still. */
  halt(): void {
    this.#state = "halted";
  }

  /** How many connections were taken since it stands still. */
  held(): number {
    return this.#held.length;
  }

  /** From now on a connection ends as soon as its client sends this. */
  breakAt(sent: RegExp): void {
    this.#breaking = sent;
  }

  /** How many connections ended so. */
  broken(): number {
    return this.#broken;
  }

  /** Leads on, also what waits. */
  restore(): void {
    this.#state = "open";
    for (const client of this.#held.splice(0)) this.#lead(client);
  }

  /** Breaks nothing any more. */
  heal(): void {
    this.#breaking = undefined;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#endAll();
    await closed;
  }

  #take(client: Socket): void {
    this.#keep(client);
    if (this.#state === "cut") client.destroy();
    else if (this.#state === "halted") this.#held.push(client);
    else this.#lead(client);
  }

  #lead(client: Socket): void {
    // It may have given up meanwhile.
    if (client.destroyed) return;
    const onward = this.#keep(connect(this.#target, "127.0.0.1"));
    client.on("data", (bytes: Buffer) => {
      if (this.#breaking?.test(bytes.toString("latin1")) !== true) return;
      this.#broken += 1;
      client.destroy();
    });
    client.pipe(onward).pipe(client);
    client.once("close", () => onward.destroy());
    onward.once("close", () => client.destroy());
  }

  #keep(socket: Socket): Socket {
    this.#open.add(socket);
    return socket.on("error", () => undefined).once("close", () => this.#open.delete(socket));
  }

  #endAll(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
