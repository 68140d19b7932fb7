import type { Runtime } from "./runtime-file.ts";
import type { Engine, ServiceDefinition } from "./service-definition.ts";
import type { Terminal } from "./terminal.ts";
export type PlatformOptions = {
    dataDir: string;
    /** Port of the one origin; 0 takes a free one. */
    port: number;
    logLevel: string;
    services: readonly ServiceDefinition[];
    engines: readonly Engine[];
    terminal: Terminal;
    /** Ends a start that is under way. */
    signal: AbortSignal;
};
export type Platform = {
    runtime: Runtime;
    /** Real path of the data directory. */
    dataDir: string;
    /** Stops everything in order; nothing is left running. */
    stop: () => Promise<void>;
};
/**
 * Starts one whole instance: engines side by side, every service as soon as its engines run, one
 * gateway in front. When a part fails, everything is stopped again.
 * @throws {StartFailure} for the part that failed first, with its last lines
 * @throws {DataDirUnusable} when another instance runs on the directory
 */
export declare function startPlatform(options: PlatformOptions): Promise<Platform>;
