import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
  request as startRequest,
} from "node:http";
import { pipeline } from "node:stream";

import { answerProblem } from "./problem.ts";

export type Upstream = { host: string; port: number };

export type Exchange = {
  request: IncomingMessage;
  response: ServerResponse;
  agent: Agent;
  upstream: Upstream;
  /** Larger bodies are refused here. */
  bodyBytesMax: number;
};

/** A service that says nothing for this long counts as unreachable. */
const SILENCE_MS = 60_000;

/** Headers about one connection, not about the message (RFC 9110 §7.6.1). */
const CONNECTION_HEADERS = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
/** What a client could use to claim another address; only this gateway may say it. */
const FORWARDING_HEADER =
  /^(forwarded|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/;

/**
 * Passes a request on to a service, and its answer back. A body that is too large is refused here,
 * where the rest of it can be read and dropped: a service closes the connection at once, and a
 * client that is still sending would lose the answer (RFC 9112 §9.6).
 */
export function forward(exchange: Exchange): void {
  const { request, response, bodyBytesMax } = exchange;
  const length = Number(request.headers["content-length"] ?? 0);
  const hasBody = length > 0 || request.headers["transfer-encoding"] !== undefined;
  if (length > bodyBytesMax) {
    answerProblem(response, "body_too_large");
    return;
  }
  const outgoing = open(exchange);
  // A client that left, or was refused, must not keep the service busy.
  response.once("close", () => outgoing.destroy());
  let repeated = false;
  outgoing.on("error", (error) => {
    // Once an answer has begun, it says itself how it ended.
    if (response.destroyed || response.headersSent || repeated) return;
    // A connection kept open from before may have been closed by the service at this very moment.
    repeated = outgoing.reusedSocket && !hasBody && "code" in error && error.code === "ECONNRESET";
    if (repeated) forward(exchange);
    else answerProblem(response, "upstream_unavailable");
  });
  if (hasBody) pipeBody(exchange, outgoing);
  else outgoing.end();
}

function pipeBody({ request, response, bodyBytesMax }: Exchange, outgoing: ClientRequest): void {
  let received = 0;
  request.on("data", (chunk: Buffer) => {
    received += chunk.length;
    if (received <= bodyBytesMax || response.headersSent) return;
    request.unpipe(outgoing);
    answerProblem(response, "body_too_large");
    outgoing.destroy();
    request.resume();
  });
  request.pipe(outgoing);
}

function open(exchange: Exchange): ClientRequest {
  const { request, response, agent, upstream } = exchange;
  const outgoing = startRequest({
    host: upstream.host,
    port: upstream.port,
    method: request.method,
    path: request.url,
    headers: [
      messageHeaders(request.rawHeaders, (name) => !FORWARDING_HEADER.test(name)),
      request.headers["transfer-encoding"] === undefined ? [] : ["Transfer-Encoding", "chunked"],
      ["X-Forwarded-For", request.socket.remoteAddress ?? "127.0.0.1"],
      ["X-Forwarded-Proto", "http"],
      ["Connection", "keep-alive"],
    ].flat(),
    agent,
    timeout: SILENCE_MS,
  });
  outgoing.once("timeout", () =>
    outgoing.destroy(new Error("The service was silent for too long")),
  );
  outgoing.once("response", (answer) => {
    response.sendDate = false;
    response.writeHead(
      answer.statusCode ?? 502,
      answer.statusMessage,
      messageHeaders(answer.rawHeaders, () => true),
    );
    // When the service breaks off, the client's connection breaks too: half an answer is none.
    pipeline(answer, response, () => undefined);
  });
  return outgoing;
}

/** Name, value, name, value …, as sent, without what concerned only the connection. */
function messageHeaders(raw: readonly string[], keep: (name: string) => boolean): string[] {
  const pairs: [name: string, value: string][] = [];
  const named = new Set<string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? "";
    const value = raw[index + 1] ?? "";
    pairs.push([name, value]);
    if (name.toLowerCase() === "connection") {
      for (const token of value.split(",")) named.add(token.trim().toLowerCase());
    }
  }
  return pairs
    .filter(([name]) => {
      const lower = name.toLowerCase();
      return !CONNECTION_HEADERS.has(lower) && !named.has(lower) && keep(lower);
    })
    .flat();
}
