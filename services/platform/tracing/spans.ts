import { randomBytes, randomUUID } from "node:crypto";

import {
  type Context,
  context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from "@opentelemetry/api";

/**
 * Every attribute that a span may carry, with its class and purpose. Nothing in a trace is about a
 * person: routes are patterns, statements have placeholders, errors have a class and no message.
 */
export const spanFields = {
  "http.request.method": "operational: Method of a call",
  "http.route": "operational: Pattern of the route, not the path",
  "http.response.status_code": "operational: Status of an answer",
  "server.call": "operational: Which call of another service, by method and pattern",
  "db.system.name": "operational: Which engine",
  "db.query.text": "operational: A statement with placeholders in place of values",
  "db.query.id": "operational: Id of a query of ClickHouse, as in its query log",
  "error.type": "operational: Class of an error",
  job: "operational: Kind of job",
  attempt: "operational: Number of the attempt",
  message: "operational: Name of an outbox message",
  timer: "operational: Kind of timer",
  process: "operational: Which process of the ledger",
  segment: "operational: Which spool segment",
  rows: "operational: Number of rows",
} as const;
type SpanFields = { readonly [Name in keyof typeof spanFields]?: string | number };

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;

/** A span elsewhere, which led to a request or a job here. */
export type Caller = { readonly requestId: string; readonly spanId: string };

type SpanOptions = {
  /** Begins the trace of this id, whatever is under way. */
  readonly begins?: string;
  /** The span that led to this one; else see `of`. */
  readonly after?: Caller;
  /** Id of the request, correlation or event that the span belongs to; else the span that is active. */
  readonly of?: string;
  readonly kind?: keyof typeof kinds;
  readonly fields?: SpanFields;
};

let tracing = false;
/** The id whose trace the next span begins; the generator is asked for it within `startSpan`. */
let beginning: string | undefined;

/** Whether spans are recorded in this process; nothing is spent on them otherwise. */
export function isTracing(): boolean {
  return tracing;
}

/** Set by what connects an exporter. */
export function setTracing(on: boolean): void {
  tracing = on;
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const spanIdDigits = 16;

/** The trace of an id: the same digits. */
export const traceIdOf = (uuid: string): string => uuid.replaceAll("-", "").toLowerCase();
/** The first span of a trace has the last digits of its id: what comes later knows its parent from that. */
const firstSpanIdOf = (uuid: string): string => traceIdOf(uuid).slice(-spanIdDigits);

/** Ids of spans: a trace has the id of what it is about. */
export const spanIds = {
  generateTraceId: (): string => traceIdOf(beginning ?? randomUUID()),
  generateSpanId: (): string =>
    beginning === undefined
      ? randomBytes(spanIdDigits / 2).toString("hex")
      : firstSpanIdOf(beginning),
};

const tracer = () => trace.getTracer("pro-talent");

/** The place in the trace of an id at which later spans are added: its first span, unless another is named. */
function contextOf(uuid: string, spanId = firstSpanIdOf(uuid)): Context {
  const place = { traceId: traceIdOf(uuid), spanId };
  return trace.setSpanContext(ROOT_CONTEXT, {
    ...place,
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });
}

function parentOf({ after, of }: SpanOptions): Context {
  if (after !== undefined) return contextOf(after.requestId, after.spanId);
  return of !== undefined && uuidForm.test(of) ? contextOf(of) : context.active();
}

/** The first span of the trace of an id, from its beginning now, or from an earlier moment. */
export function beginTrace(
  uuid: string,
  name: string,
  { kind = "internal", fields = {} }: Pick<SpanOptions, "kind" | "fields"> = {},
  startMs?: number,
): Span {
  beginning = uuid;
  try {
    return tracer().startSpan(
      name,
      {
        kind: kinds[kind],
        attributes: fields,
        root: true,
        ...(startMs !== undefined && { startTime: startMs }),
      },
      ROOT_CONTEXT,
    );
  } finally {
    beginning = undefined;
  }
}

/** To the span that is active, where it is of another trace. */
function linksTo(parent: Context): Link[] {
  const active = trace.getSpanContext(context.active());
  const isElsewhere = active?.traceId !== trace.getSpanContext(parent)?.traceId;
  return active !== undefined && isElsewhere ? [{ context: active }] : [];
}

/** A span after another one, within the trace of an id, or else within the span that is active. */
export function openSpan(name: string, options: SpanOptions): { span: Span; within: Context } {
  const { kind = "internal", fields: attributes = {}, begins } = options;
  if (begins !== undefined) {
    const first = beginTrace(begins, name, options);
    return { span: first, within: trace.setSpan(ROOT_CONTEXT, first) };
  }
  const parent = parentOf(options);
  const span = tracer().startSpan(
    name,
    { kind: kinds[kind], attributes, links: linksTo(parent) },
    parent,
  );
  return { span, within: trace.setSpan(parent, span) };
}

/** Runs work within a span. An error is recorded by its class, and thrown on. */
export async function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!tracing) return await work();
  const { span, within } = openSpan(name, options);
  try {
    return await context.with(within, work);
  } catch (error) {
    failSpan(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** The same for what is only of interest as a part of something: without an active span there is none. */
export async function inPartSpan<Result>(
  name: string,
  options: Pick<SpanOptions, "kind" | "fields">,
  work: () => Promise<Result>,
): Promise<Result> {
  const isPart = tracing && trace.getSpan(context.active())?.isRecording() === true;
  return await (isPart ? inSpan(name, options, work) : work());
}

/** Marks a span as failed; messages of errors may quote input. */
function failSpan(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute("error.type", error instanceof Error ? error.name : typeof error);
}

/** Records what took from one moment until now, in the traces of several ids. */
export function recordSpans(
  name: string,
  ids: readonly string[],
  { startMs, fields = {} }: { startMs: number; fields?: SpanFields },
): void {
  if (!tracing) return;
  for (const id of ids) {
    const parent = contextOf(id);
    const options = { attributes: fields, startTime: startMs, links: linksTo(parent) };
    tracer().startSpan(name, options, parent).end();
  }
}

/** Continues where a request was made, so that what it leads to has its span as a parent. */
export function withSpan<Result>(span: Span, work: () => Result): Result {
  return context.with(trace.setSpan(context.active(), span), work);
}

/** The active span as a `traceparent` header (W3C Trace Context); none while no span is active. */
export function traceHeaders(): { traceparent?: string } {
  const active = tracing ? trace.getSpanContext(context.active()) : undefined;
  if (active === undefined) return {};
  const flags = active.traceFlags.toString(16).padStart(2, "0");
  return { traceparent: `00-${active.traceId}-${active.spanId}-${flags}` };
}

/** Adds a place in the trace to an id of a query, so that the log of the engine leads to it. */
export function queryIdWithin(id: string): string {
  const active = tracing ? trace.getSpanContext(context.active()) : undefined;
  return active === undefined ? id : `${id}:${active.traceId}-${active.spanId}`;
}

/** Who called, by a `traceparent` header; undefined unless it is of a trace of ours. */
export function callerIn(header: unknown): Caller | undefined {
  const parts =
    typeof header === "string"
      ? /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(header)
      : null;
  const [, traceId = "", spanId = ""] = parts ?? [];
  const requestId = traceId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return uuidForm.test(requestId) ? { requestId, spanId } : undefined;
}
