import { createServer, type Server } from "node:http";

import { createLogger } from "@pro-talent/platform/runtime/logger";
import { ConsentDecisionRequest } from "@pro-talent/schemas/consent/calls";
import { VisitorId } from "@pro-talent/schemas/primitives/ids";
import { afterEach, describe, expect, it } from "vitest";

import { createLedgerClient } from "./ledger-client.ts";

type Reply = { status: number; body: unknown } | "hang up";

const request: ConsentDecisionRequest = {
  commandId: "019cfb00-0000-7000-8000-000000000001",
  visitorId: VisitorId.parse("0b7c4e38-91a5-8b1e-a7a4-0c4f8a3d2e11"),
  purpose: "analytics",
  decision: "grant",
  method: "accept_all",
  notice: null,
};
const granted = { state: "granted", recorded: true, receiptId: request.commandId };
const log = createLogger({ service: "test", level: "silent" });

describe("a decision sent to the ledger", () => {
  let server: Server | undefined;
  const received: { body: ConsentDecisionRequest; authorization: string | undefined }[] = [];
  afterEach(async () => {
    received.length = 0;
    await new Promise((resolve) => server?.close(resolve));
  });

  /** A ledger that gives the listed replies, one per request. */
  async function clientOf(replies: Reply[]) {
    server = createServer((incoming, outgoing) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("end", () => {
        const body = ConsentDecisionRequest.parse(JSON.parse(Buffer.concat(chunks).toString()));
        received.push({ body, authorization: incoming.headers.authorization });
        const reply = replies.shift() ?? "hang up";
        if (reply === "hang up") return incoming.socket.destroy();
        return outgoing.writeHead(reply.status).end(JSON.stringify(reply.body));
      });
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const url = `http://127.0.0.1:${String(port)}`;
    return createLedgerClient({ url, internalToken: "t".repeat(32), log, timeoutMs: 500 });
  }

  it("is answered with the reply of the ledger", async () => {
    const client = await clientOf([{ status: 200, body: granted }]);
    expect(await client.decide(request)).toEqual(granted);
    expect(received).toEqual([{ body: request, authorization: `Bearer ${"t".repeat(32)}` }]);
  });

  it("is sent once more under the same command id when the connection breaks", async () => {
    const client = await clientOf(["hang up", { status: 200, body: granted }]);
    expect(await client.decide(request)).toEqual(granted);
    expect(received.map((each) => each.body.commandId)).toEqual([
      request.commandId,
      request.commandId,
    ]);
  });

  it.each<[string, Reply[], number]>([
    ["the ledger is down", ["hang up", "hang up"], 2],
    [
      "the ledger fails",
      [
        { status: 503, body: {} },
        { status: 500, body: {} },
      ],
      2,
    ],
    ["the ledger refuses", [{ status: 401, body: {} }], 1],
    [
      "the answer is not one",
      [
        { status: 200, body: {} },
        { status: 200, body: [] },
      ],
      2,
    ],
  ])("is not acknowledged when %s", async (_when, replies, sent) => {
    const client = await clientOf(replies);
    await expect(client.decide(request)).rejects.toMatchObject({
      code: "ledger_unavailable",
      retryAfterSeconds: 2,
    });
    expect(received).toHaveLength(sent);
  });
});
