import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An accounts service that knows no address. It answers only after `answer`. */
export async function startDrillAccounts() {
  let asked = 0;
  const answering = Promise.withResolvers<null>();
  const server = createServer((request, response) => {
    asked += 1;
    request.resume();
    void answering.promise.then(() =>
      response
        .setHeader("content-type", "application/json")
        .end(JSON.stringify({ accountId: null })),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("It does not listen");
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** Calls so far. */
    asked: () => asked,
    answer: () => answering.resolve(null),
    stop: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
}
