import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

import { choosePort } from "../embedded/ports.ts";

/** A port that leads to another one of this machine, once that is known, until it is cut. */
export async function startCutProxy() {
  let target = 0;
  const port = await choosePort();
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) return void client.destroy();
    const onward = connect(target, "127.0.0.1");
    for (const socket of [client, onward]) {
      open.add(socket);
      socket.on("error", () => undefined).once("close", () => open.delete(socket));
    }
    client.pipe(onward).pipe(client);
    client.once("close", () => onward.destroy());
    onward.once("close", () => client.destroy());
    return undefined;
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const endAll = (): void => open.forEach((socket) => socket.destroy());
  return {
    port,
    leadTo: (other: number): void => {
      target = other;
    },
    cut: (): void => {
      isCut = true;
      endAll();
    },
    restore: (): void => {
      isCut = false;
    },
    stop: async (): Promise<void> => {
      server.close();
      endAll();
      await once(server, "close");
    },
  };
}
