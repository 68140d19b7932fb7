import { context, trace } from "@opentelemetry/api";
import type { SpanProcessor } from "@opentelemetry/sdk-trace";

import { parseEnv, tracingEnv } from "../config/define-env.ts";
import { setTracing, spanIds } from "./spans.ts";

type Source = Readonly<Record<string, string | undefined>>;
const nothing = async (): Promise<void> => undefined;

/**
 * Begins to record and export spans when an address for them is set (OTLP over HTTP); else nothing of
 * it is loaded. Whether a trace is kept follows from its id, so that all processes keep the same ones.
 * @returns exports what is left and ends it
 */
export async function startTracing(source: Source, service: string): Promise<() => Promise<void>> {
  const env = parseEnv(tracingEnv, source);
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined || endpoint === "") return nothing;
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http");
  const { BatchSpanProcessor } = await import("@opentelemetry/sdk-trace");
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, "")}/v1/traces` });
  const processor = new BatchSpanProcessor({ exporter });
  return await recordSpansTo(processor, service, env.OTEL_TRACES_SAMPLER_ARG);
}

/** Records spans to a processor of the caller's. @returns ends it */
export async function recordSpansTo(
  processor: SpanProcessor,
  service: string,
  ratio = 1,
): Promise<() => Promise<void>> {
  const { TraceIdRatioBasedSampler, TracerProvider } = await import("@opentelemetry/sdk-trace");
  const { resourceFromAttributes } = await import("@opentelemetry/resources");
  const { AsyncLocalStorageContextManager } = await import("@opentelemetry/context-async-hooks");
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": service }),
    sampler: new TraceIdRatioBasedSampler(ratio),
    spanProcessors: [processor],
    idGenerator: spanIds,
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  setTracing(true);
  return async () => {
    setTracing(false);
    await provider.shutdown();
    trace.disable();
    context.disable();
  };
}
