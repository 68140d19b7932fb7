import { connect, createServer, type Socket } from "node:net";

/** What happens to a connection through the proxy. */
export type Mishap = "none" | "refuse" | "cut_request" | "cut_answer";

export type UnreliableProxy = {
  url: string;
  /** Called for each connection. */
  mishap: () => Mishap;
  connections: () => number;
  close(): Promise<void>;
};

/**
 * A TCP proxy that loses connections as networks do: before anything is forwarded, in the middle of
 * the request, or after the request and before its answer.
 */
export async function startUnreliableProxy(targetUrl: string): Promise<UnreliableProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    const mishap = proxy.mishap();
    sockets.add(client);
    client.on("error", () => client.destroy()).on("close", () => sockets.delete(client));
    if (mishap === "refuse") {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    upstream.on("error", () => client.destroy()).on("close", () => client.destroy());
    client.on("close", () => upstream.destroy());
    let passed = 0;
    client.on("data", (chunk) => {
      passed += chunk.length;
      if (mishap === "cut_request" && passed > 600) {
        upstream.end(chunk.subarray(0, chunk.length >> 1), () => client.destroy());
        return;
      }
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (mishap === "cut_answer") client.destroy();
      else client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = new URL(targetUrl);
  url.port = String(typeof address === "object" ? address?.port : 0);
  const proxy: UnreliableProxy = {
    url: url.toString(),
    mishap: () => "none",
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
