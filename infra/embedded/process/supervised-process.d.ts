import { type ProcessSpec } from "./process-spec.ts";
/**
 * A child process that is started once, awaited until it is ready, started again with a growing
 * pause whenever it dies, and stopped on request. It lives in a process group of its own, so that
 * Ctrl-C in a terminal reaches only this process, which then stops everything in order.
 */
export declare class SupervisedProcess {
    #private;
    constructor(spec: ProcessSpec);
    get name(): string;
    /** The number of the running process; undefined between two lives and after the stop. */
    pid(): number | undefined;
    /** How often it was started again after it had died. */
    restarts(): number;
    /**
     * Resolves when the process is ready.
     * @throws {StartFailure} when it dies or the deadline passes first; nothing is left running then
     */
    start(): Promise<void>;
    /** Asks the process to stop, then insists. Resolves when it is gone; safe to call at any time. */
    stop(): Promise<void>;
}
