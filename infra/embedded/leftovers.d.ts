import type { RecordedProcess } from "./runtime-file.ts";
/** Notes running processes so that they can be recognised later. One that just ended is left out. */
export declare function recordProcesses(running: readonly {
    name: string;
    pid: number | undefined;
    stopSignal?: "SIGINT";
}[]): Promise<RecordedProcess[]>;
/**
 * Ends the processes of an instance that was killed, in case they did not notice it themselves. One
 * whose number meanwhile belongs to another program is left alone.
 * @returns the names of those that still ran
 */
export declare function endLeftovers(recorded: readonly RecordedProcess[]): Promise<string[]>;
