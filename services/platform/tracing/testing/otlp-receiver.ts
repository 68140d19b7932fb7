import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

import { z } from "zod";

import { traceIdOf } from "../spans.ts";
import type { SpanRecord } from "./recorded-spans.ts";

const Attributes = z
  .array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }))
  .default([])
  .transform((list) =>
    Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]])),
  );
/** What the exporter sends (OTLP over HTTP, in JSON), as far as tests look at it. */
const Exported = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              attributes: Attributes,
              links: z.array(z.object({ traceId: z.string() })).default([]),
            }),
          ),
        }),
      ),
    }),
  ),
});

/** A span, with the process that recorded it. */
export type ReceivedSpan = SpanRecord & { readonly service: string };

/** Takes spans of any number of processes, whose `OTEL_EXPORTER_OTLP_ENDPOINT` is its address. */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  const received: unknown[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      received.push(body);
      for (const { resource, scopeSpans } of Exported.parse(body).resourceSpans) {
        const service = String(resource.attributes["service.name"]);
        for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
          spans.push({
            service,
            name: span.name,
            trace: span.traceId,
            id: span.spanId,
            parent: span.parentSpanId === "" ? undefined : span.parentSpanId,
            fields: span.attributes,
            links: span.links.map(({ traceId }) => ({ trace: traceId })),
          });
        }
      }
      response.setHeader("content-type", "application/json").end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("There is no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** Those in the trace of an id, in the order in which they ended. */
    of: (uuid: string): readonly ReceivedSpan[] =>
      spans.filter(({ trace }) => trace === traceIdOf(uuid)),
    /** Everything that was sent, as text. */
    text: (): string => JSON.stringify(received),
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
