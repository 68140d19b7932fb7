import { randomUUID } from "node:crypto";

import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client";

import { inPartSpan, isTracing, queryIdWithin, traceHeaders } from "../tracing/spans.ts";

export type { ClickHouseClient };

/**
 * A ClickHouse client over HTTP; the same for the embedded engine, a server and a cluster.
 * 64-bit integers come as numbers: counts stay far below 2^53.
 */
export function connectClickhouse(
  url: string,
  options: {
    database?: string;
    application: string;
    maxConnections?: number;
    requestTimeoutMs?: number;
  },
): ClickHouseClient {
  const client = createClient({
    url,
    application: options.application,
    max_open_connections: options.maxConnections ?? 8,
    request_timeout: options.requestTimeoutMs ?? 30_000,
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    ...(options.database === undefined ? {} : { database: options.database }),
  });
  return isTracing() ? traced(client) : client;
}

type Asked = { query_id?: string; http_headers?: Record<string, string> };

/**
 * Each call is a span, its query's id names its place in the trace, and the server's own log of spans
 * continues it.
 */
function traced(client: ClickHouseClient): ClickHouseClient {
  const ask =
    <Params extends Asked, Answer>(call: (params: Params) => Promise<Answer>) =>
    (params: Params): Promise<Answer> => {
      const fields = { "db.system.name": "clickhouse" };
      return inPartSpan("clickhouse", { kind: "client", fields }, async () =>
        call({
          ...params,
          query_id: queryIdWithin(params.query_id ?? randomUUID()),
          http_headers: { ...params.http_headers, ...traceHeaders() },
        }),
      );
    };
  return Object.assign(client, {
    query: ask(client.query.bind(client)),
    command: ask(client.command.bind(client)),
    exec: ask(client.exec.bind(client)),
    insert: ask(client.insert.bind(client)),
  });
}
