import type { Readable } from "node:stream";

import { ClickHouseError } from "@clickhouse/client";
import type { ClickHouseClient } from "@pro-talent/platform/clickhouse/connect";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { queryProblems } from "@pro-talent/schemas/analysts/calls";
import type { QueryFormat } from "@pro-talent/schemas/analysts/events";
import { analystLimits as limit } from "@pro-talent/schemas/analysts/limits";
import { z } from "zod";

import { queryFault, queryProblem } from "./faults.ts";
import { type Admitted, type Asked, admit, parametersOf } from "./gate.ts";
import {
  areCounted,
  executedSql,
  keyParameter,
  markOf,
  querySettings,
  questionSettings,
} from "./policy.ts";
import type { SeenProgress } from "./running.ts";

/** Formats of results, as ClickHouse names them. */
const formats = {
  json: "JSONCompact",
  ndjson: "JSONEachRow",
  csv: "CSVWithNames",
  parquet: "Parquet",
  rows: "JSONCompactEachRowWithProgress",
} as const satisfies Record<Exclude<QueryFormat, "other">, string>;

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
  /** For which a reader may take nothing of a result; that of {@link analystLimits} when absent. */
  readonly stalledSecondsMax?: number;
};

export type RunRequest = Asked & {
  readonly queryId: string;
  readonly format: QueryFormat;
  /** Of the format `other`, as ClickHouse names it. */
  readonly otherFormat?: string | undefined;
  /** Settings of the form of a result. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A ready-made question: its result counts visitors and names none, so that it reads the ids of the store. */
  readonly isCounting?: boolean;
  readonly signal: AbortSignal;
  /** Resolves when the engine may begin. */
  readonly turn?: () => Promise<void>;
  /** Called once the query may run. */
  readonly onAdmitted?: (admitted: Admitted) => void;
};

/** A result that comes, with its media type as ClickHouse states it. */
export type OpenedQuery = { readonly parts: AsyncIterable<Buffer>; readonly type: string };

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
  const parts: Buffer[] = [];
  let size = 0;
  const { parts: chunks } = await openQuery(engine, request);
  for await (const bytes of chunks) {
    size += bytes.length;
    if (size > limit.resultBytesMax) {
      throw queryProblem("query_limited", "Its result is larger than a result may be.");
    }
    parts.push(bytes);
  }
  const bytes = Buffer.concat(parts);
  if (request.format !== "json") return { bytes, rowsRead: null };
  const { data, statistics } = tableOf(bytes);
  if (data.length > limit.rowsShownMax) {
    const message = `Its result has more than ${limit.rowsShownMax} rows. A file may have more, or LIMIT fewer.`;
    throw queryProblem("query_limited", message);
  }
  return { bytes, rowsRead: statistics.rows_read };
}

/**
 * Runs a query through the gate, under the limits. Its result comes as the engine makes it, once there is
 * the first part of it; of the format `json` once it is complete.
 * @throws ProblemError of `queryProblems`, or `upstream_unavailable`; so does the result
 */
export async function openQuery(engine: QueryEngine, request: RunRequest): Promise<OpenedQuery> {
  try {
    const admitted = await admit(engine.parser, request);
    request.onAdmitted?.(admitted);
    await request.turn?.();
    request.signal.throwIfAborted();
    const { parts, type } = await execute(engine, admitted, request);
    const first = await parts.next();
    return { parts: following(first, parts, request), type };
  } catch (error) {
    throw problemOf(error, request);
  }
}

function problemOf(error: unknown, { signal, text }: RunRequest): ProblemError {
  if (signal.aborted) return new ProblemError(queryProblems.query_cancelled);
  if (error instanceof ProblemError) return error;
  if (error instanceof ClickHouseError) return queryFault(error, text);
  return new ProblemError("upstream_unavailable", { cause: error });
}

async function* following(
  first: IteratorResult<Buffer, void>,
  parts: AsyncGenerator<Buffer, void>,
  request: RunRequest,
): AsyncGenerator<Buffer, void> {
  try {
    if (first.done !== true) yield first.value;
    yield* parts;
  } catch (error) {
    throw problemOf(error, request);
  } finally {
    await parts.return();
  }
}

async function execute(
  { parser, clickhouse, database, pseudonymKey, secondsMax = limit.secondsMax }: QueryEngine,
  { sql, views }: Admitted,
  { queryId, format, otherFormat, settings, isCounting = false, signal, ...asked }: RunRequest,
): Promise<OpenedQuery & { parts: AsyncGenerator<Buffer, void> }> {
  const isShown = format === "json";
  const ofStore = isCounting && areCounted(views);
  const rowsMax = isShown ? limit.rowsShownMax : limit.fileRowsMax;
  const name = format === "other" ? (otherFormat ?? "TabSeparated") : formats[format];
  const executed = executedSql(sql, { views, database, rowsMax, queryId, isCounting: ofStore });
  const given = parametersOf(asked);
  // Those views are open to the user of the service alone.
  const result = await (ofStore ? parser : clickhouse).exec({
    query: `${executed} FORMAT ${name}`,
    query_params: { ...given.values, [keyParameter]: pseudonymKey },
    abort_signal: signal,
    clickhouse_settings: {
      ...given.escaped,
      ...(isCounting ? questionSettings : querySettings),
      ...settings,
      max_execution_time: secondsMax,
      // An error then has the status of one, even after the first rows.
      ...(isShown && { wait_end_of_query: 1 }),
    },
  });
  const tag = String(result.response_headers["x-clickhouse-exception-tag"] ?? "");
  const type = String(result.response_headers["content-type"] ?? "application/octet-stream");
  return { parts: partsOf(result.stream, { tag, signal }), type };
}

/**
 * The bytes of a result. An error after the first of them follows them between marks.
 * @throws ClickHouseError
 */
async function* partsOf(
  stream: Readable,
  { tag, signal }: { tag: string; signal: AbortSignal },
): AsyncGenerator<Buffer, void> {
  const mark = `\r\n__exception__\r\n${tag}\r\n`;
  const abort = (): void => void stream.destroy(new Error("The query was cancelled"));
  signal.addEventListener("abort", abort);
  let held: Buffer = Buffer.alloc(0);
  const isMarked = (): boolean => tag !== "" && held.indexOf(mark) === 0;
  try {
    for await (const part of stream) {
      const bytes: unknown = part;
      if (!Buffer.isBuffer(bytes)) continue;
      const known = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      // What follows the mark is no result. The mark itself, and the message behind it, may come in pieces.
      const end = tag === "" ? known.length : markedFrom(known, mark);
      if (end > 0) yield known.subarray(0, end);
      held = known.subarray(end);
      if (isMarked() && held.includes("\n", mark.length)) break;
    }
  } catch (error) {
    // The connection ends with the message.
    if (!isMarked()) throw error;
  } finally {
    signal.removeEventListener("abort", abort);
    stream.destroy();
  }
  if (isMarked()) throw faultIn(held.toString("utf8", mark.length));
  if (held.length > 0) yield held;
}

function faultIn(text: string): ClickHouseError {
  const [message = ""] = text.split("\n");
  const code = /^Code: (\d+)/u.exec(message)?.[1] ?? "";
  return new ClickHouseError({ message, code });
}

/** Where the mark begins, or what may become one at the end of the bytes; their length where there is neither. */
function markedFrom(bytes: Buffer, mark: string): number {
  const at = bytes.indexOf(mark);
  if (at !== -1) return at;
  const from = Math.max(0, bytes.length - mark.length + 1);
  for (let start = from; start < bytes.length; start += 1)
    if (mark.startsWith(bytes.toString("latin1", start))) return start;
  return bytes.length;
}

const Count = z.coerce.number().int();
const Table = z.object({
  meta: z.array(z.object({ name: z.string(), type: z.string() })),
  data: z.array(z.array(z.json())),
  statistics: z.object({ rows_read: Count, bytes_read: Count }),
});

/** A result in the format `json`. */
export const tableOf = (bytes: Buffer) => Table.parse(JSON.parse(bytes.toString("utf8")));

const Seen = z.object({ rowsRead: Count, bytesRead: Count, rowsToRead: Count });

/** Looks how far a query has come; what was seen before stays when it is not found. */
export async function see(
  parser: ClickHouseClient,
  queryId: string,
  seen: SeenProgress,
): Promise<void> {
  const result = await parser.query({
    query: `SELECT read_rows AS rowsRead, read_bytes AS bytesRead, total_rows_approx AS rowsToRead
              FROM system.processes WHERE position(query, {mark:String}) > 0 LIMIT 1`,
    query_params: { mark: markOf(queryId) },
    format: "JSONEachRow",
  });
  const [row] = z.array(Seen).parse(await result.json());
  if (row !== undefined) Object.assign(seen, row);
}
