import { ClickHouseError } from "@clickhouse/client";
import type { ClickHouseClient } from "@pro-talent/platform/clickhouse/connect";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { queryProblems } from "@pro-talent/schemas/analysts/calls";
import type { QueryFormat } from "@pro-talent/schemas/analysts/events";
import { analystLimits as limit } from "@pro-talent/schemas/analysts/limits";
import { z } from "zod";

import { queryFault, queryProblem } from "./faults.ts";
import { type Admitted, type Asked, admit } from "./gate.ts";
import { executedSql, keyParameter, querySettings } from "./policy.ts";

/** Formats of results, as ClickHouse names them. */
const formats = {
  json: "JSONCompact",
  ndjson: "JSONEachRow",
  csv: "CSVWithNames",
  parquet: "Parquet",
} as const satisfies Record<QueryFormat, string>;

/** Where queries of one analyst go, and under which names their visitors appear. */
export type QueryEngine = {
  /** Reads the texts of queries, and runs none. */
  readonly parser: ClickHouseClient;
  /** Without a database: a name that is no view of the query finds nothing. */
  readonly clickhouse: ClickHouseClient;
  /** That has the views. */
  readonly database: string;
  readonly pseudonymKey: string;
  /** Of one query; that of {@link analystLimits} when absent. */
  readonly secondsMax?: number;
};

export type RunRequest = Asked & {
  readonly format: QueryFormat;
  readonly signal: AbortSignal;
  /** Called once the query may run. */
  readonly onAdmitted?: (admitted: Admitted) => void;
};

/** A complete result. */
export type QueryOutput = {
  readonly bytes: Buffer;
  /** As the engine states it: of a file that it streams, null where it does not. */
  readonly rowsRead: number | null;
};

/**
 * Runs a query through the gate, under the limits, and reads its whole result.
 * @throws ProblemError of `queryProblems`, or `upstream_unavailable`
 */
export async function runQuery(engine: QueryEngine, request: RunRequest): Promise<QueryOutput> {
  try {
    const admitted = await admit(engine.parser, request);
    request.onAdmitted?.(admitted);
    request.signal.throwIfAborted();
    return await execute(engine, admitted, request);
  } catch (error) {
    if (request.signal.aborted) throw new ProblemError(queryProblems.query_cancelled);
    if (error instanceof ProblemError) throw error;
    if (error instanceof ClickHouseError) throw queryFault(error, request.text);
    throw new ProblemError("upstream_unavailable", { cause: error });
  }
}

async function execute(
  { clickhouse, database, pseudonymKey, secondsMax = limit.secondsMax }: QueryEngine,
  { sql, views }: Admitted,
  { parameters, format, signal }: RunRequest,
): Promise<QueryOutput> {
  const rowsMax = format === "json" ? limit.rowsShownMax : limit.fileRowsMax;
  const result = await clickhouse.exec({
    query: `${executedSql(sql, { views, database, rowsMax })} FORMAT ${formats[format]}`,
    query_params: { ...parameters, [keyParameter]: pseudonymKey },
    abort_signal: signal,
    clickhouse_settings: {
      ...querySettings,
      max_execution_time: secondsMax,
      // An error then has the status of one, even after the first rows.
      wait_end_of_query: 1,
    },
  });
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of result.stream) {
    const bytes: unknown = part;
    if (!Buffer.isBuffer(bytes)) continue;
    size += bytes.length;
    if (size > limit.resultBytesMax) {
      result.stream.destroy();
      throw queryProblem("query_limited", "Its result is larger than a result may be.");
    }
    parts.push(bytes);
  }
  const bytes = Buffer.concat(parts);
  if (format !== "json") return { bytes, rowsRead: null };
  const { data, statistics } = tableOf(bytes);
  if (data.length > rowsMax) {
    const message = `Its result has more than ${rowsMax} rows. A file may have more, or LIMIT fewer.`;
    throw queryProblem("query_limited", message);
  }
  return { bytes, rowsRead: statistics.rows_read };
}

const Count = z.coerce.number().int();
const Table = z.object({
  meta: z.array(z.object({ name: z.string(), type: z.string() })),
  data: z.array(z.array(z.json())),
  statistics: z.object({ rows_read: Count, bytes_read: Count }),
});

/** A result in the format `json`. */
export const tableOf = (bytes: Buffer) => Table.parse(JSON.parse(bytes.toString("utf8")));
