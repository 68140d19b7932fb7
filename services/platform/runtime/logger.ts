import { pino } from "pino";

/**
 * Every field that a service may write to its log, with its class and purpose; nothing in a log is
 * about a person. The logger's type takes no other field. Each line also has `level`, `time`,
 * `service` and `msg`, a fixed text. Requests are logged as route pattern and status, never with
 * address, user agent, query or body.
 */
export const logFields = {
  err: "operational: Class, code and place of an error, never its message",
  requestId: "operational: Identifies one request, in its answer too",
  route: "operational: Pattern of the route, not the path",
  status: "operational: Status of an answer",
  step: "operational: Which step of the shutdown",
  follower: "operational: Which read model or process",
  segments: "operational: Number of spool segments",
  segment: "operational: Which spool segment",
  repaired: "operational: Tables into which a segment was inserted again",
  head: "operational: Which kind of records",
  rows: "operational: Number of rows",
  records: "operational: Number of records",
  bytes: "operational: Number of bytes",
  attempt: "operational: Number of the attempt",
  job: "operational: Kind of job",
  outboxId: "operational: Which outbox message",
  timer: "operational: Kind of timer",
  duties:
    "operational: Numbers of timers and keys that were repaired, and of erasures that are late",
  backlog: "operational: How much waits for ClickHouse",
  backup: "operational: Which backup, what was to be done with it, or why that failed",
  key: "operational: Setting of a key that is wrong or missing, or id of an epoch",
} as const;

/** Refuses each field that is not listed, also one that comes from a spread object. */
type Listed<Fields> = Fields & Record<Exclude<keyof Fields, keyof typeof logFields>, never>;
type Write = {
  (message: string): void;
  <Fields extends object>(fields: Listed<Fields>, message: string): void;
};
export type Logger = Readonly<
  Record<"fatal" | "error" | "warn" | "info" | "debug" | "trace", Write>
>;

/**
 * Structured log on standard output: JSON lines. Written at once: what waits at the end of a process is
 * tried for ever when it is read no more, and the process would never end.
 */
export function createLogger(options: { service: string; level: string }): Logger {
  return pino(
    {
      level: options.level,
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
    },
    pino.destination({ dest: 1, sync: true }),
  );
}

/** What may be logged about an error: its class, code and place. Messages may quote input. */
export function describeError(error: unknown): Record<string, string> {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = "code" in error ? String(error.code) : undefined;
  const stack = (error.stack ?? "")
    .split("\n")
    .filter((line) => line.trimStart().startsWith("at "));
  return {
    type: error.name,
    ...(code === undefined ? {} : { code }),
    stack: stack.slice(0, 8).join("\n"),
  };
}
