import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export type RecoveringPostgres = {
  /** The database's address by way of this server. */
  url: string;
  /** How many connections were refused. */
  refused: () => number;
  /** From now on connections lead to the database. */
  recover: () => void;
  stop: () => Promise<void>;
};

/** The refusal of a server that recovers, as PostgreSQL sends it (documentation §54.7). */
function startingUp(): Buffer {
  const fields = ["SFATAL", "VFATAL", "C57P03", "Mthe database system is starting up", ""];
  const body = Buffer.from(`${fields.join("\0")}\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Stands before a database and refuses connections as a server that recovers, until `recover`. */
export async function startRecoveringPostgres(databaseUrl: string): Promise<RecoveringPostgres> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let [recovered, refused] = [false, 0];
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    // Clients that end, and this server's own end, cut connections.
    return socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  };
  const server = createServer((socket) => {
    keep(socket);
    if (recovered) {
      const database = keep(connect(Number(port), hostname));
      socket.pipe(database).pipe(socket);
      return;
    }
    refused += 1;
    socket.once("data", () => socket.end(startingUp()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("no port");
  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${address.port}` }).href,
    refused: () => refused,
    recover: () => void (recovered = true),
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
