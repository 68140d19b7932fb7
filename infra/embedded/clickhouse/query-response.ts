import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Writable } from "node:stream";

import { type EngineError, httpStatusOf } from "./engine-error.ts";
import { encoderFor } from "./request-body.ts";

const COUNTERS = [
  "read_rows",
  "read_bytes",
  "written_rows",
  "written_bytes",
  "total_rows_to_read",
  "result_rows",
  "result_bytes",
] as const;
/** Counters of `X-ClickHouse-Summary`; those that are left out are 0. */
export type Summary = Readonly<Partial<Record<(typeof COUNTERS)[number], number>>>;

const TEXT_TYPE = "text/plain; charset=UTF-8";

/** Held back before the first byte goes out, so that an early failure still is a proper error. */
const HOLD_BYTES = 1 << 18;
/** How long a client gets to read the reason of a failure before the response breaks off. */
const BREAK_OFF_AFTER_MS = 100;

type Context = {
  response: ServerResponse;
  queryId: string;
  timezone: string;
  coding: string | undefined;
  waitForEnd: boolean;
};

/**
 * The answer to one statement: a result in one piece, a stream, or an error. When a result fails
 * after its first bytes have gone, the error follows them between marks that the client knows from
 * a header, and the response ends without its last chunk, so that no reader takes it for whole.
 */
export class QueryResponse {
  readonly #context: Context;
  readonly #startedAt = process.hrtime.bigint();
  readonly #exceptionTag = randomBytes(8).toString("hex");
  #held: Buffer[] = [];
  #heldBytes = 0;
  #sink: Writable | undefined;
  #isStatusSent = false;

  constructor(context: Context) {
    this.#context = context;
  }

  #summaryHeader(summary: Summary): string {
    const counts = COUNTERS.map((name) => [name, String(summary[name] ?? 0)]);
    const elapsed = ["elapsed_ns", String(process.hrtime.bigint() - this.#startedAt)];
    return JSON.stringify(Object.fromEntries([...counts, elapsed]));
  }

  #setCommonHeaders(summary: Summary): void {
    const { response, queryId, timezone } = this.#context;
    response.setHeader("X-ClickHouse-Query-Id", queryId);
    response.setHeader("X-ClickHouse-Timezone", timezone);
    response.setHeader("X-ClickHouse-Server-Display-Name", "embedded");
    response.setHeader("X-ClickHouse-Exception-Tag", this.#exceptionTag);
    response.setHeader("X-ClickHouse-Summary", this.#summaryHeader(summary));
  }

  #begin(format: string, summary: Summary): Writable {
    const { response } = this.#context;
    this.#setCommonHeaders(summary);
    response.setHeader("X-ClickHouse-Format", format);
    response.setHeader("Content-Type", contentTypeOf(format));
    return (this.#sink = this.#encoded());
  }

  /** Where bytes are written that have the coding of the response. */
  #encoded(): Writable {
    const { response, coding } = this.#context;
    if (coding !== undefined) response.setHeader("Content-Encoding", coding);
    this.#withoutStatusLine();
    if (coding === undefined) return response;
    const encoder = encoderFor(coding);
    encoder.pipe(response, { end: false });
    return encoder;
  }

  /** Passes bytes of a result on, when the client takes them. Rejects when `signal` aborts. */
  async write(bytes: Buffer, format: string, signal: AbortSignal): Promise<void> {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    // These state progress, which is of use at once.
    const isBegun = this.#sink !== undefined || format.endsWith("WithProgress");
    if (!isBegun && (this.#context.waitForEnd || this.#heldBytes < HOLD_BYTES)) return;
    const sink = this.#sink ?? this.#begin(format, {});
    const taken = this.#held
      .splice(0)
      .map((chunk) => sink.write(chunk))
      .every(Boolean);
    signal.throwIfAborted();
    if (!taken) await once(sink, "drain", { signal });
  }

  /** Sends how far a statement has come, as a header, as long as its result has not begun. */
  sendProgress(progress: Summary): void {
    const { response } = this.#context;
    if (this.#sink !== undefined || response.headersSent || response.destroyed) return;
    const status = this.#isStatusSent ? "" : "HTTP/1.1 200 OK\r\n";
    this.#isStatusSent = true;
    response.socket?.write(`${status}X-ClickHouse-Progress: ${this.#summaryHeader(progress)}\r\n`);
  }

  /** Where progress was sent, the status line has gone: Node would write it with the headers. */
  #withoutStatusLine(): void {
    if (!this.#isStatusSent) return;
    const { response } = this.#context;
    response.writeHead(200);
    const header: unknown = Reflect.get(response, "_header");
    if (typeof header !== "string") throw new Error("A response has no header to be sent");
    Reflect.set(response, "_header", header.slice(header.indexOf("\r\n") + 2));
  }

  /** Ends a result that is complete. */
  end(format: string, summary: Summary): void {
    if (this.#sink === undefined && this.#context.coding === undefined) {
      this.#begin(format, summary);
      return void this.#context.response.end(Buffer.concat(this.#held.splice(0)));
    }
    const sink = this.#sink ?? this.#begin(format, summary);
    const { response } = this.#context;
    for (const chunk of this.#held) sink.write(chunk);
    this.#held = [];
    if (sink !== response) sink.once("end", () => response.end());
    sink.end();
  }

  /** Ends with an error, whatever has been sent. */
  fail(error: EngineError): void {
    this.#held = [];
    if (this.#sink === undefined) return this.#refuse(error);
    const { response } = this.#context;
    const message = `${error.message}\n`;
    const length = Buffer.byteLength(message);
    const tag = this.#exceptionTag;
    const mark = "\r\n__exception__\r\n";
    const block = `${mark}${tag}\r\n${message}${length} ${tag}${mark}`;
    const breakOff = (): void => void setTimeout(() => response.destroy(), BREAK_OFF_AFTER_MS);
    if (this.#sink === response) return void response.write(block, breakOff);
    this.#sink.once("end", breakOff);
    this.#sink.end(block);
  }

  #refuse(error: EngineError): void {
    const { response } = this.#context;
    response.statusCode = this.#isStatusSent ? 200 : httpStatusOf(error.code);
    this.#setCommonHeaders({});
    response.setHeader("X-ClickHouse-Exception-Code", String(error.code));
    response.setHeader("Content-Type", TEXT_TYPE);
    const sink = this.#encoded();
    if (sink !== response) sink.once("end", () => response.end());
    sink.end(`${error.message}\n`);
  }
}

const BINARY =
  /^(?:Native|RowBinary\w*|Arrow|ArrowStream|Parquet|ORC|Avro|MsgPack|Protobuf\w*|CapnProto|BSONEachRow|Npy|RawBLOB)$/;
const LINES_OF_JSON = /^(?:JSON(?:Compact)?(?:Strings)?EachRow\w*|JSONLines|NDJSON)$/;

/** The content type that a ClickHouse server gives to an output format. */
function contentTypeOf(format: string): string {
  if (LINES_OF_JSON.test(format)) return "application/x-ndjson; charset=UTF-8";
  if (format.startsWith("JSON") || format === "PrettyJSONEachRow")
    return "application/json; charset=UTF-8";
  if (format.startsWith("CSV") || format.startsWith("CustomSeparated")) {
    const header = format.includes("WithNames") ? "present" : "absent";
    return format.startsWith("CSV") ? `text/csv; charset=UTF-8; header=${header}` : TEXT_TYPE;
  }
  if (/^(?:TSV|TabSeparated)/.test(format)) return "text/tab-separated-values; charset=UTF-8";
  if (BINARY.test(format)) return "application/octet-stream";
  if (format === "XML") return "application/xml; charset=UTF-8";
  if (format === "Markdown") return "text/markdown; charset=UTF-8";
  return TEXT_TYPE;
}
