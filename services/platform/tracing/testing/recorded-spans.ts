import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace";

import { traceIdOf } from "../spans.ts";
import { recordSpansTo } from "../start-tracing.ts";

/** A span as tests look at it. */
export type SpanRecord = {
  readonly name: string;
  readonly trace: string;
  readonly id: string;
  readonly parent: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly trace: string }[];
};

/** Keeps all spans of this process in memory, for tests; before a service is opened. */
export async function recordedSpans() {
  const exporter = new InMemorySpanExporter();
  const stop = await recordSpansTo(new SimpleSpanProcessor({ exporter }), "test");
  const all = (): SpanRecord[] =>
    exporter.getFinishedSpans().map((span) => ({
      name: span.name,
      trace: span.spanContext().traceId,
      id: span.spanContext().spanId,
      parent: span.parentSpanContext?.spanId,
      fields: span.attributes,
      links: span.links.map(({ context: { traceId } }) => ({ trace: traceId })),
    }));
  return {
    all,
    /** Those in the trace of an id. */
    of: (uuid: string): SpanRecord[] => all().filter(({ trace }) => trace === traceIdOf(uuid)),
    stop,
  };
}
