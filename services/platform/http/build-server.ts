import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

import {
  type PlatformProblemCode,
  platformProblems,
  type ProblemDefinition,
} from "@pro-talent/schemas/primitives/problem";
import Fastify, {
  type ConnectionError,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";

import type { Logger } from "../runtime/logger.ts";
import { callerOf, traceRequests } from "../tracing/trace-requests.ts";
import { type Admission, setAdmission } from "./admission.ts";
import { createClientAddress } from "./client-address.ts";
import { addDraining } from "./draining.ts";
import { addJsonParser } from "./json-parser.ts";
import { ProblemError, problemBody } from "./problem-details.ts";

export type ServerOptions = Admission & {
  log: Logger;
  /** The site's address, whose answers these are; undefined for what no browser reaches by it. */
  publicOrigin: string | undefined;
  /** Largest body in bytes; larger ones are refused with `body_too_large`. */
  bodyBytesMax?: number;
  /** Largest part of a path that is a parameter, in characters; of a longer one nothing is found. */
  pathParamCharsMax?: number;
  /** Proxies whose `X-Forwarded-For` is believed: addresses, networks or `private`. None by default. */
  trustedProxies?: readonly string[];
  /** Receives every refusal, for counters. */
  onProblem?: (code: string, request: FastifyRequest) => void;
};

type Headers = Readonly<Record<string, string>>;

/**
 * Headers on every answer, unless its route has set them: what is answered is about one person or one
 * moment, so that no cache may keep it, and is what its type says. A site behind TLS is never
 * asked for without it (RFC 6797).
 */
function headersOfAnswers(publicOrigin: string | undefined): Headers {
  return {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...(publicOrigin?.startsWith("https:") === true && {
      "strict-transport-security": "max-age=63072000; includeSubDomains",
    }),
  };
}

/**
 * A Fastify instance as every service uses it: JSON in, problem details out, request ids, limits,
 * headers that protect its answers, and logs that hold no personal data.
 */
export function buildServer(options: ServerOptions): FastifyInstance {
  const headers = headersOfAnswers(options.publicOrigin);
  const refuse = refusalsOf(options, headers);
  const app = Fastify({
    bodyLimit: options.bodyBytesMax ?? 64 * 1024,
    genReqId: (request) => callerOf(request, options.internalToken)?.requestId ?? randomUUID(),
    requestIdHeader: false,
    routerOptions: { maxParamLength: options.pathParamCharsMax ?? 100 },
    logger: false,
    forceCloseConnections: "idle",
    // Refused below: the router's own refusal has neither these headers nor problem details.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void refuse(error, request, reply),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, headers),
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    onProtoPoisoning: "error",
  });
  addClientAddress(app, options.trustedProxies ?? []);
  traceRequests(app, options.internalToken);
  setAdmission(app, options);
  addJsonParser(app, ["application/json"]);
  addDraining(app);
  refuseWhileClosing(app);
  const defaults = Object.entries(headers);
  app.addHook("onSend", (_request, reply, _payload, done) => {
    for (const [name, value] of defaults) {
      if (!reply.hasHeader(name)) reply.header(name, value);
    }
    done();
  });
  app.setNotFoundHandler((request, reply) => refuse(new ProblemError("not_found"), request, reply));
  app.setErrorHandler(refuse);
  return app;
}

/**
 * `request.ip` is the client's address. Fastify's own reading would take what is no address for one, and
 * an address with a port for another one each time; it would also believe other headers.
 */
function addClientAddress(app: FastifyInstance, trustedProxies: readonly string[]): void {
  const clientAddress = createClientAddress(trustedProxies);
  app.decorateRequest("ip", {
    getter(): string {
      return clientAddress(this.raw.socket.remoteAddress, this.raw.headers["x-forwarded-for"]);
    },
  });
}

type Refuse = (
  error: FastifyError | ProblemError,
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply;

/** Answers with problem details, and with these headers whatever the route has set before. */
function refusalsOf({ log, onProblem }: ServerOptions, headers: Headers): Refuse {
  return (error, request, reply) => {
    const problem = problemOf(error);
    if (problem.code === "internal_error") {
      log.error(
        { err: error, requestId: request.id, route: request.routeOptions.url },
        "request failed",
      );
    }
    onProblem?.(problem.code, request);
    // Closing the connection at once would lose the answer of a client that is still sending
    // (RFC 9112 §9.6); kept open, the rest of the body is read and dropped.
    if (problem.code === "body_too_large") reply.removeHeader("connection");
    const details = error instanceof ProblemError ? error : undefined;
    const body = problemBody(problem, request.id, details?.errors);
    if (details?.retryAfterSeconds !== undefined) {
      reply.header("retry-after", String(details.retryAfterSeconds));
    }
    return reply
      .code(body.status)
      .headers(headers)
      .type("application/problem+json")
      .send(JSON.stringify(body));
  };
}

/** From the moment at which the server is closed; requests that were accepted before are answered. */
function refuseWhileClosing(app: FastifyInstance): void {
  let closing = false;
  app.addHook("preClose", (done) => {
    closing = true;
    done();
  });
  app.addHook("onRequest", (_request, _reply, done) => {
    done(closing ? new ProblemError("shutting_down", { retryAfterSeconds: 5 }) : undefined);
  });
}

const connectionRefusals: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers what cannot be read as a request with a status alone: no route, no hook sees it. */
function refuseConnection(error: ConnectionError, socket: Socket, headers: Headers): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const status = connectionRefusals[error.code] ?? 400;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n${lines.join("")}\r\n`,
  );
}

const fastifyCodes: Readonly<Record<string, PlatformProblemCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "body_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_CTP_EMPTY_JSON_BODY: "malformed_json",
  FST_ERR_CTP_INVALID_JSON_BODY: "malformed_json",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "bad_request",
  FST_ERR_BAD_URL: "bad_request",
  FST_ERR_MAX_PARAM_LENGTH: "not_found",
};

function problemOf(error: FastifyError | ProblemError): ProblemDefinition {
  if (error instanceof ProblemError) return error.problem;
  const known = fastifyCodes[error.code];
  if (known !== undefined) return platformProblems[known];
  const status = error.statusCode ?? 500;
  if (status === 429) return platformProblems.rate_limited;
  return platformProblems[status >= 400 && status < 500 ? "bad_request" : "internal_error"];
}
