export type EmbeddedClickhouseOptions = {
  /** Where the tables live. One process at a time. */
  dataDir: string;
  /** A free port of 127.0.0.1; chosen by the system when left out, and kept over restarts. */
  port?: number;
  /** Of the user `default`; generated when left out. */
  password?: string;
  /** Receives what the engine's process prints and what becomes of it. */
  onLog?: (line: string) => void;
};
export type EmbeddedClickhouse = {
  /** `http://default:<password>@127.0.0.1:<port>`, for `createClient({ url })`. */
  url: string;
  port: number;
  /** Of the engine's process; undefined while it is being replaced. */
  pid(): number | undefined;
  /** How often the engine's process was replaced after a crash. */
  restarts(): number;
  /** Lets running statements finish and ends the engine. */
  stop(): Promise<void>;
};
/**
 * Starts ClickHouse's engine in a process of its own behind ClickHouse's HTTP interface, on
 * 127.0.0.1 only. The process is replaced when it dies, and it ends when this one does.
 * @throws when the data directory can't be used or the engine does not start
 */
export declare function startClickhouse(
  options: EmbeddedClickhouseOptions,
): Promise<EmbeddedClickhouse>;
