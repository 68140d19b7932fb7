import type { Readable } from "node:stream";
/** Remembers the last lines that a process wrote, and passes each on. */
export declare class LineTail {
    #private;
    constructor(onLine: (line: string) => void, keep?: number);
    /** Reads a stream until it ends. */
    follow(stream: Readable): void;
    lines(): readonly string[];
}
