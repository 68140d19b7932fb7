import { once } from "node:events";
import { type Server, createServer } from "node:http";

import { toEngineError } from "./engine-error.ts";
import { type QueryServices, handleQuery } from "./handle-query.ts";

const HOST = "127.0.0.1";
const MAX_HEADER_BYTES = 1 << 20;
const KEEP_ALIVE_MS = 10_000;
const OK = "Ok.\n";

/**
 * ClickHouse's HTTP interface in front of the engine. `/ping` and `/replicas_status` need no
 * credentials, as on a server; everything else does.
 */
export function createHttpServer(services: QueryServices): Server {
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: 0 },
    (request, response) => {
      response.setHeader("Content-Type", "text/plain; charset=UTF-8");
      const url = URL.parse(request.url ?? "/", `http://${HOST}`);
      if (url === null) {
        response.statusCode = 400;
        return response.end("The address can't be read.\n");
      }
      if (url.pathname === "/ping" || url.pathname === "/replicas_status") return response.end(OK);
      const bare = request.method === "GET" && !url.searchParams.has("query");
      if (url.pathname === "/" && bare) return response.end(OK);
      if (url.pathname !== "/" && url.pathname !== "/query") {
        response.statusCode = 404;
        return response.end("There is no handle for this path.\n");
      }
      handleQuery(services, request, response, url.searchParams).catch((error: unknown) => {
        console.error(`A request failed after its answer: ${toEngineError(error).message}`);
        response.destroy();
      });
      return;
    },
  );
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

/** Listens on the loopback address only. */
export async function listen(server: Server, port: number): Promise<void> {
  server.listen({ port, host: HOST, exclusive: true });
  await once(server, "listening");
}
