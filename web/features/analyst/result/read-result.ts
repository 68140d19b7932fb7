import { type ResultColumn, ResultRows } from "./result-rows.ts";

/** What the engine has read for a result; it states so from time to time. */
export type ResultStatistics = {
  readonly rowsRead: number;
  readonly bytesRead: number;
  readonly rowsToRead: number;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Reads a result as its bytes arrive: a line of JSON each, `{"meta":[{"name":…,"type":…}]}` before the rows,
 * `{"row":[…]}`, and `{"progress":{…}}` between them.
 */
export class ResultReader {
  readonly rows = new ResultRows();
  statistics: ResultStatistics | undefined;
  readonly #decoder = new TextDecoder();
  /** What follows the last end of a line. */
  #rest = "";

  /** @throws SyntaxError when the bytes are no result */
  append(bytes: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#line(line);
  }

  /** @throws SyntaxError when the bytes are no result */
  end(): void {
    const last = this.#rest + this.#decoder.decode();
    this.#rest = "";
    this.#line(last);
  }

  #line(line: string): void {
    if (line.trim() === "") return;
    const value: unknown = JSON.parse(line);
    if (!isRecord(value)) throw new SyntaxError("a line is no part of a result");
    const { row, meta, progress } = value;
    if (Array.isArray(row)) this.rows.append(row);
    else if (Array.isArray(meta)) this.rows.begin(meta.filter(isRecord).map(columnOf));
    else if (isRecord(progress)) this.statistics = statisticsOf(progress);
  }
}

const columnOf = ({ name, type }: Readonly<Record<string, unknown>>): ResultColumn => ({
  name: String(name),
  type: String(type),
});

const numberIn = (value: unknown): number => Number(value ?? 0) || 0;

/** Numbers of 64 bits are texts in JSON. */
const statisticsOf = (progress: Readonly<Record<string, unknown>>): ResultStatistics => ({
  rowsRead: numberIn(progress["read_rows"]),
  bytesRead: numberIn(progress["read_bytes"]),
  rowsToRead: numberIn(progress["total_rows_to_read"]),
});
