import { LogFiles } from "./log-files.ts";
import { type Secrets } from "./secrets.ts";
/** What everything of one instance stands on: its directory, secrets, ports and logs. */
export type Ground = {
    dataDir: string;
    secrets: Secrets;
    logs: LogFiles;
    /** The loopback port of an engine or a service. */
    port: (name: string) => number;
    /** Leaves the directory to the next instance. */
    leave: () => Promise<void>;
};
/**
 * Takes the data directory for this process and ends what a killed instance left on it.
 * @throws {DataDirUnusable} when another instance runs on it, or it is another user's
 */
export declare function layGround(options: {
    dataDir: string;
    origin: string;
    serviceNames: readonly string[];
}): Promise<Ground>;
