import { type Logger, pino } from "pino";

export type { Logger };

/**
 * Structured log. Only fields classified as data assets are written: requests are logged as
 * method, route pattern, status and duration, never with address, user agent, query or body.
 */
export function createLogger(options: { service: string; level: string }): Logger {
  return pino({
    level: options.level,
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  });
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
