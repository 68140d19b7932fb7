import { type ResultColumn, ResultRows } from "./result-rows.ts";

/**
 * Forms of a result's bytes. `document`: the answer of the call for rows; `lines`: JSON, one row on each line, either
 * as objects, or as arrays after one line of names and one of types.
 */
export type ResultForm = "document" | "lines";
export type ResultStatistics = { rowsRead: number; bytesRead: number; milliseconds: number };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";

/** Reads a result as its bytes arrive. */
export class ResultReader {
  readonly rows = new ResultRows();
  statistics: ResultStatistics | undefined;
  readonly #form: ResultForm;
  readonly #decoder = new TextDecoder();
  /** Of a document all of it, of lines what follows the last end of a line. */
  #rest = "";
  #names: readonly string[] | undefined;
  #isBegun = false;

  constructor(form: ResultForm) {
    this.#form = form;
  }

  append(bytes: Uint8Array): void {
    this.#rest += this.#decoder.decode(bytes, { stream: true });
    if (this.#form === "document") return;
    const lines = this.#rest.split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#line(line);
  }

  /** @throws SyntaxError when the bytes are not of the form */
  end(): void {
    this.#rest += this.#decoder.decode();
    if (this.#form === "lines") this.#line(this.#rest);
    else this.#document(JSON.parse(this.#rest));
    this.#rest = "";
  }

  #line(line: string): void {
    if (line.trim() === "") return;
    const value: unknown = JSON.parse(line);
    if (isRecord(value)) this.#record(value);
    else if (!Array.isArray(value)) throw new SyntaxError("a line is no row");
    else if (this.#isBegun) this.rows.append(value);
    else if (this.#names === undefined) this.#names = value.filter(isText);
    else this.#begin(this.#names.map((name, at) => ({ name, type: String(value[at]) })));
  }

  #record(record: Readonly<Record<string, unknown>>): void {
    this.#names ??= Object.keys(record);
    if (!this.#isBegun)
      this.#begin(this.#names.map((name) => ({ name, type: typeOf(record[name]) })));
    this.rows.append(this.#names.map((name) => record[name]));
  }

  #begin(columns: readonly ResultColumn[]): void {
    this.#isBegun = true;
    this.rows.begin(columns);
  }

  #document(document: unknown): void {
    if (!isRecord(document)) throw new SyntaxError("no result");
    const { columns, rows, statistics } = document;
    if (!Array.isArray(columns) || !Array.isArray(rows)) throw new SyntaxError("no result");
    this.#begin(
      columns
        .filter(isRecord)
        .map(({ name, type }) => ({ name: String(name), type: String(type) })),
    );
    for (const row of rows) if (Array.isArray(row)) this.rows.append(row);
    if (!isRecord(statistics)) return;
    const { rowsRead, bytesRead, milliseconds } = statistics;
    const [read, bytes, ms] = [Number(rowsRead), Number(bytesRead), Number(milliseconds)];
    this.statistics = { rowsRead: read, bytesRead: bytes, milliseconds: ms };
  }
}

/** Lines of objects state no types: what a value shows of its own. */
function typeOf(value: unknown): string {
  if (typeof value === "number") return "Float64";
  if (typeof value !== "string") return "";
  if (/^-?\d{1,20}$/u.test(value)) return "Int64";
  return /^\d{4}-\d{2}-\d{2}( |$)/u.test(value) ? "Date" : "String";
}
