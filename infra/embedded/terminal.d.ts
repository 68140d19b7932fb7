import { styleText } from "node:util";
import type { ProcessEvent } from "./process/process-spec.ts";
type Style = Parameters<typeof styleText>[0];
/** What an instance shows while it starts, runs and stops: little, and only what matters. */
export type Terminal = {
    say: (text: string) => void;
    /** Shows warnings and errors of a service; the rest is in its log file. */
    serviceLine: (service: string, line: string) => void;
    event: (event: ProcessEvent) => void;
};
/** Colours only on a terminal, and not when `NO_COLOR` is set. */
export declare function paint(style: Style, text: string): string;
/** Writes lines to the standard output. */
export declare function createTerminal(write: (text: string) => void): Terminal;
export {};
