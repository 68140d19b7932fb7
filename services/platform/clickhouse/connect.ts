import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client";

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
  return createClient({
    url,
    application: options.application,
    max_open_connections: options.maxConnections ?? 8,
    request_timeout: options.requestTimeoutMs ?? 30_000,
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    ...(options.database === undefined ? {} : { database: options.database }),
  });
}
