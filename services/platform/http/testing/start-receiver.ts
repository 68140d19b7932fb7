import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

import { generate } from "selfsigned";

import type { OutsideOptions } from "../outside-connection.ts";

type Received = { readonly headers: IncomingHttpHeaders; readonly body: string };
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export type Receiver = {
  /** Has this name in its certificate, which only `outside` resolves. */
  readonly name: string;
  /** Leads any name to this receiver, and trusts its certificate. */
  readonly outside: OutsideOptions;
  readonly port: number;
  readonly received: Received[];
  /** How it answers from now on; 204 at first. */
  readonly answers: (answer: Answer | number) => void;
  readonly close: () => Promise<void>;
};

/** A receiver of webhooks with a certificate of its own, on a loopback port. */
export async function startReceiver(name = "hooks.example.com"): Promise<Receiver> {
  const certificate = await generate([{ name: "commonName", value: name }], {
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: name }] }],
  });
  const received: Received[] = [];
  let answer: Answer = (_request, response) => response.writeHead(204).end();
  const server = createServer(
    { key: certificate.private, cert: certificate.cert },
    (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
        answer(request, response);
      });
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has this form of address
  const { port } = server.address() as AddressInfo;
  return {
    name,
    port,
    received,
    outside: {
      resolve: (_name, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
      isAllowed: (address) => address === "127.0.0.1",
      ca: certificate.cert,
      port,
    },
    answers: (next) => {
      answer =
        typeof next === "number" ? (_request, response) => response.writeHead(next).end() : next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
