/**
 * The full command line of a running process, arguments joined by spaces; undefined when there is
 * no such process. A zombie has none either: it runs no more, although its number is still taken.
 */
export declare function commandLineOf(pid: number): Promise<string | undefined>;
/**
 * Whether a process still holds anything: files, sockets, locks. A process that is being killed
 * loses its command line first, and a zombie only holds its number.
 */
export declare function isRunning(pid: number): Promise<boolean>;
/**
 * What tells a process apart from any other that had or gets the same number: its command line and
 * when it started. Undefined when it does not run.
 */
export declare function fingerprintOf(pid: number): Promise<string | undefined>;
/**
 * Numbers of the processes whose working directory is `directory` (an absolute, real path). Only
 * Linux tells; elsewhere, and for processes of other users, nothing is found.
 */
export declare function processesWorkingIn(directory: string): Promise<number[]>;
