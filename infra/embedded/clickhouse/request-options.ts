import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

import { refusal } from "./engine-error.ts";
import { checkedFormat } from "./literals.ts";
import type { SessionOptions } from "./sessions.ts";

/** What a request asks for besides its statement. */
export type RequestOptions = {
  database: string | undefined;
  /** Settings for this statement only, in the order given. */
  settings: readonly (readonly [name: string, value: string])[];
  /** Values of `{name:Type}` in ClickHouse's escaped text form. */
  parameters: readonly (readonly [name: string, value: string])[];
  defaultFormat: string;
  /** Whether nothing may be sent before the statement has ended. */
  waitForEnd: boolean;
  compressResponse: boolean;
  /** How often progress is sent before the result begins; never when absent. */
  progressEveryMs: number | undefined;
  session: SessionOptions | undefined;
  /** Roles instead of all of the user's. */
  roles: readonly string[];
};

/** Arguments of ClickHouse's HTTP interface that are not settings of the engine. */
const HTTP_ARGUMENTS = new Set([
  "query", "query_id", "database", "default_format", "user", "password", "quota_key",
  "session_id", "session_timeout", "session_check", "role", "compress", "decompress", "stacktrace",
  "enable_http_compression", "http_zlib_compression_level", "wait_end_of_query",
  "http_wait_end_of_query", "http_response_buffer_size", "buffer_size",
  "send_progress_in_http_headers", "http_headers_progress_interval_ms", "add_http_cors_header",
  "http_write_exception_in_output_format", "cancel_http_readonly_queries_on_client_close",
  "client_protocol_version", "http_method", "log_queries",
]); // prettier-ignore

function isOn(value: string | null): boolean {
  return value !== null && value !== "0" && value.toLowerCase() !== "false" && value !== "";
}

function settingsOf(query: URLSearchParams, tables: readonly string[]): [string, string][] {
  const ofTables = new Set(
    tables.flatMap((table) => [`${table}_structure`, `${table}_types`, `${table}_format`]),
  );
  const settings = [...query].filter(
    ([name]) => !HTTP_ARGUMENTS.has(name) && !name.startsWith("param_") && !ofTables.has(name),
  );
  for (const [name] of settings) {
    if (/^[A-Za-z_]\w*$/.test(name)) continue;
    const shown = name.replaceAll(/[^\w.-]/g, "?").slice(0, 100);
    const message = `Setting ${shown} is neither a builtin setting nor started with the prefix 'SQL_' registered for user-defined settings.`;
    throw refusal("UNKNOWN_SETTING", message);
  }
  return settings;
}

function parametersOf(fields: readonly [string, string][]): [string, string][] {
  const parameters = fields.filter(([name]) => name.startsWith("param_"));
  if (parameters.every(([name]) => /^param_\w+$/.test(name))) return parameters;
  throw refusal("BAD_ARGUMENTS", "The name of a query parameter is not an identifier.");
}

/** The name of a query, chosen by the client or random. Header values can't hold line breaks. */
export function queryIdOf(query: URLSearchParams): string {
  const given = query.get("query_id");
  return given === null || given === "" ? randomUUID() : given.replaceAll(/[^\x20-\x7e]/g, "?");
}

function refuseUnsupported(query: URLSearchParams): void {
  const refuse = (what: string): never => {
    throw refusal("NOT_IMPLEMENTED", what);
  };
  if (isOn(query.get("decompress")) || isOn(query.get("compress"))) {
    refuse("ClickHouse's own compressed frames are not supported; use HTTP compression.");
  }
}

const SESSION_SECONDS = 60;
const SESSION_SECONDS_MAX = 3600;

function sessionOf(query: URLSearchParams): SessionOptions | undefined {
  const id = query.get("session_id") ?? "";
  if (id === "") return undefined;
  const timeoutSeconds = Number(query.get("session_timeout") ?? SESSION_SECONDS);
  if (!(timeoutSeconds > 0 && timeoutSeconds <= SESSION_SECONDS_MAX)) {
    throw refusal("BAD_ARGUMENTS", `session_timeout is at most ${SESSION_SECONDS_MAX} seconds.`);
  }
  return { id, timeoutSeconds, mustExist: isOn(query.get("session_check")) };
}

const PROGRESS_EVERY_MS = 100;

/**
 * Reads the arguments of a request.
 * @param extra `param_*` fields that came in the body rather than in the URL
 * @param tables names of external tables, whose columns and formats are arguments
 * @throws {EngineError} 115 for a name that can't be a setting, 36 for a malformed argument, 48 for
 * what is not supported
 */
export function readOptions(
  query: URLSearchParams,
  headers: IncomingHttpHeaders,
  extra: readonly [string, string][] = [],
  tables: readonly string[] = [],
): RequestOptions {
  refuseUnsupported(query);
  const database = String(query.get("database") ?? headers["x-clickhouse-database"] ?? "");
  const format = String(query.get("default_format") ?? headers["x-clickhouse-format"] ?? "");
  return {
    database: database === "" ? undefined : database,
    settings: settingsOf(query, tables),
    parameters: parametersOf([...query, ...extra]),
    defaultFormat: checkedFormat(format === "" ? "TabSeparated" : format),
    waitForEnd: isOn(query.get("wait_end_of_query")) || isOn(query.get("http_wait_end_of_query")),
    compressResponse: isOn(query.get("enable_http_compression")),
    progressEveryMs: isOn(query.get("send_progress_in_http_headers"))
      ? Math.max(Number(query.get("http_headers_progress_interval_ms")) || PROGRESS_EVERY_MS, 10)
      : undefined,
    session: sessionOf(query),
    roles: query.getAll("role"),
  };
}
