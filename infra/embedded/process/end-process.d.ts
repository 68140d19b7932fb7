/** One way of asking a process to end, and how long it may take to obey. */
export type EndStep = {
    signal: NodeJS.Signals;
    withinMs: number;
};
/** Sends a signal; a process that is already gone is no error. */
export declare function signalProcess(pid: number, signal: NodeJS.Signals): void;
/** True as soon as nothing runs under this number any more, false after `withinMs`. */
export declare function waitUntilGone(pid: number, withinMs: number): Promise<boolean>;
/**
 * Ends a process that is not a child of this one, step by step, politely first.
 * @throws when it survives the last step
 */
export declare function endProcess(pid: number, steps: readonly EndStep[]): Promise<void>;
