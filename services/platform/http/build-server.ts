import { randomUUID } from "node:crypto";

import {
  type PlatformProblemCode,
  platformProblems,
  type ProblemDefinition,
} from "@pro-talent/schemas/primitives/problem";
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";

import type { Logger } from "../runtime/logger.ts";
import { addJsonParser } from "./json-parser.ts";
import { ProblemError, problemBody } from "./problem-details.ts";

export type ServerOptions = {
  log: Logger;
  /** Largest body in bytes; larger ones are refused with `body_too_large`. */
  bodyBytesMax?: number;
  /** Addresses of proxies whose forwarding headers are believed. None by default. */
  trustedProxies?: readonly string[];
  /** Receives every refusal, for counters. */
  onProblem?: (code: string, request: FastifyRequest) => void;
};

/**
 * A Fastify instance as every service uses it: JSON in, problem details out, request ids, limits,
 * and logs that hold no personal data.
 */
export function buildServer(options: ServerOptions): FastifyInstance {
  const trusted = options.trustedProxies ?? [];
  const app = Fastify({
    bodyLimit: options.bodyBytesMax ?? 64 * 1024,
    trustProxy: trusted.length > 0 ? [...trusted] : false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    logger: false,
    forceCloseConnections: "idle",
    return503OnClosing: true,
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    onProtoPoisoning: "error",
  });
  addJsonParser(app, ["application/json"]);
  app.setNotFoundHandler((request, reply) => {
    options.onProblem?.("not_found", request);
    return sendProblem(request, reply, platformProblems.not_found);
  });
  app.setErrorHandler((error: FastifyError | ProblemError, request, reply) => {
    const problem = problemOf(error);
    if (problem.code === "internal_error") {
      options.log.error(
        { err: error, requestId: request.id, route: request.routeOptions.url },
        "request failed",
      );
    }
    options.onProblem?.(problem.code, request);
    // Closing the connection at once would lose the answer of a client that is still sending
    // (RFC 9112 §9.6); kept open, the rest of the body is read and dropped.
    if (problem.code === "body_too_large") reply.removeHeader("connection");
    return sendProblem(request, reply, problem, error);
  });
  return app;
}

function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: ProblemDefinition,
  error?: unknown,
): FastifyReply {
  const details = error instanceof ProblemError ? error : undefined;
  const body = problemBody(problem, request.id, details?.errors);
  if (details?.retryAfterSeconds !== undefined) {
    reply.header("retry-after", String(details.retryAfterSeconds));
  }
  return reply.code(body.status).type("application/problem+json").send(JSON.stringify(body));
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
