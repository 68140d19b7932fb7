import { type Lock } from "./lock.ts";
/** The data directory cannot be used right now, for a reason that a person can act on. */
export declare class DataDirUnusable extends Error {
    readonly name = "DataDirUnusable";
}
/**
 * Makes the data directory if needed and takes it for this process alone.
 * @param origin where the caller will be reached, told to whoever comes second
 * @throws {DataDirUnusable} when it belongs to another user or another instance runs on it
 */
export declare function occupyDataDir(path: string, origin: string): Promise<{
    dataDir: string;
    lock: Lock;
}>;
