/** The operating system user that a process runs as. */
export type Identity = {
    uid: number;
    gid: number;
};
export type ProcessEvent = {
    type: "died";
    name: string;
    how: string;
    lines: readonly string[];
    retryInMs: number;
} | {
    type: "restarted";
    name: string;
    afterMs: number;
};
/** How to run, watch and stop one process. */
export type ProcessSpec = {
    /** Short name for people, as in "collector". */
    name: string;
    command: string;
    args: readonly string[];
    /** The whole environment of the process; nothing is inherited beside it. */
    environment: NodeJS.ProcessEnv;
    /** Its working directory. */
    directory: string;
    identity?: Identity | undefined;
    /** `ipc`: a Node process that preloads `exit-with-parent.ts`. `shell`: any other program. */
    lifeline: "ipc" | "shell";
    /** Whether it can do its work. Asked again and again while it starts. */
    isReady: (pid: number) => Promise<boolean>;
    readyWithinMs: number;
    /** How often the first start is tried before it counts as failed. */
    firstStartAttempts?: number | undefined;
    stopSignal: "SIGTERM" | "SIGINT";
    stopWithinMs: number;
    /** Runs before every launch, the first one included. */
    beforeLaunch?: (() => Promise<void>) | undefined;
    onLine: (line: string) => void;
    onEvent: (event: ProcessEvent) => void;
};
/** A process did not come up. The message names it, says how it ended and quotes its last lines. */
export declare class StartFailure extends Error {
    readonly name = "StartFailure";
    constructor(processName: string, how: string, lines: readonly string[]);
}
