import type { IncomingMessage } from "node:http";

import { type Span, SpanStatusCode } from "@opentelemetry/api";
import type { FastifyInstance, FastifyRequest } from "fastify";

import { secretsEqual } from "../crypto/secrets.ts";
import { beginTrace, type Caller, callerIn, isTracing, openSpan, withSpan } from "./spans.ts";

type Incoming = Pick<IncomingMessage, "headers">;

/**
 * Who called, of a call of another service: its request's id becomes that of this one, and so the
 * correlation of what is recorded. What others send as `traceparent` is not believed: with it they
 * could name a request of another person.
 */
export function callerOf(
  { headers }: Incoming,
  internalToken: string | undefined,
): Caller | undefined {
  const { authorization = "", traceparent } = headers;
  if (traceparent === undefined || internalToken === undefined) return undefined;
  return secretsEqual(authorization, `Bearer ${internalToken}`) ? callerIn(traceparent) : undefined;
}

/** What is asked for every few seconds and says nothing. */
const untraced: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

/** One span per request, under the request's id; everything that is done for it is within. */
export function traceRequests(app: FastifyInstance, internalToken: string | undefined): void {
  if (!isTracing()) return;
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook("onRequest", (request, _reply, done) => {
    const route = request.routeOptions.url ?? "none";
    if (untraced.has(route)) return done();
    const name = `${request.method} ${route}`;
    const fields = { "http.request.method": request.method, "http.route": route };
    const after = callerOf(request.raw, internalToken);
    const span =
      after === undefined
        ? beginTrace(request.id, name, { kind: "server", fields })
        : openSpan(name, { after, kind: "server", fields }).span;
    spans.set(request, span);
    withSpan(span, done);
  });
  // A body arrives outside of what the first hook has begun.
  app.addHook("preValidation", (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else withSpan(span, done);
  });
  app.addHook("onResponse", (request, reply, done) => {
    const span = spans.get(request);
    span?.setAttribute("http.response.status_code", reply.statusCode);
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    done();
  });
}
