import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";

import type { ArrivedHint } from "./provider-bench.ts";

/** Takes webhooks and keeps them as they arrived. */
export async function startWebhookReceiver(): Promise<{
  url: string;
  arrived: () => readonly ArrivedHint[];
  /** Answers the next ones with 503, and keeps none. */
  refuseNext: (count: number) => void;
  close: () => Promise<void>;
}> {
  const arrived: ArrivedHint[] = [];
  let refusals = 0;
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      if (refusals > 0) {
        refusals -= 1;
        response.writeHead(503).end();
        return;
      }
      arrived.push({ headers: request.headers, body });
      response.writeHead(200).end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port");
  return {
    url: `http://127.0.0.1:${address.port}/hints`,
    arrived: () => arrived,
    refuseNext: (count) => {
      refusals = count;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
