import { styleText } from "node:util";

import { z } from "zod";

import type { ProcessEvent } from "./process/process-spec.ts";

type Style = Parameters<typeof styleText>[0];

/** Lines that services write about themselves (pino); 40 is a warning. */
const LogLine = z.object({
  level: z.number(),
  service: z.string().optional(),
  msg: z.string().optional(),
  err: z.object({ type: z.string().optional(), code: z.string().optional() }).optional(),
});
const WARNING = 40;
const ERROR = 50;

/** What an instance shows while it starts, runs and stops: little, and only what matters. */
export type Terminal = {
  say: (text: string) => void;
  /** Shows warnings and errors of services; the rest is in their log file. */
  serviceLine: (line: string) => void;
  event: (event: ProcessEvent) => void;
};

/** Colours only on a terminal, and not when `NO_COLOR` is set. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

/** Writes lines to the standard output. */
export function createTerminal(write: (text: string) => void): Terminal {
  const line = (style: Style, mark: string, name: string, text: string): void =>
    write(`  ${paint(style, mark)} ${paint("bold", name)} ${text}`);
  return {
    say: write,
    serviceLine: (raw) => {
      const entry = readLogLine(raw);
      if (entry === undefined || entry.level < WARNING) return;
      const about = [entry.msg, entry.err?.type, entry.err?.code].filter(
        (part) => part !== undefined,
      );
      const [style, mark] =
        entry.level < ERROR ? (["yellow", "!"] as const) : (["red", "✗"] as const);
      line(style, mark, entry.service ?? "services", about.join(" · "));
    },
    event: (event) => {
      if (event.type === "restarted") {
        const seconds = (event.afterMs / 1000).toFixed(1);
        line("green", "✓", event.name, `runs again after ${seconds} s`);
        return;
      }
      const pause = (event.retryInMs / 1000).toFixed(1);
      line("red", "✗", event.name, `${event.how}; starting it again in ${pause} s`);
      for (const last of event.lines.slice(-5)) write(paint("dim", `      │ ${last}`));
    },
  };
}

function readLogLine(raw: string): z.infer<typeof LogLine> | undefined {
  if (!raw.startsWith("{")) return undefined;
  try {
    return LogLine.safeParse(JSON.parse(raw)).data;
  } catch {
    // Not a log line after all; it is in the log file as it was written.
    return undefined;
  }
}
