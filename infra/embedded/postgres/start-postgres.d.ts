import type { ProcessEvent } from "../process/process-spec.ts";
export type PostgresOptions = {
    /** Holds everything; made when missing. A directory in it is owned by the user Postgres runs as. */
    dataDir: string;
    /** Loopback port; a free one when absent. */
    port?: number | undefined;
    /** Of the superuser. Must not change afterwards. Generated and kept in `dataDir` when absent. */
    password?: string | undefined;
    onLog?: ((line: string) => void) | undefined;
    onEvent?: ((event: ProcessEvent) => void) | undefined;
};
export type RunningPostgres = {
    /** For the superuser: `postgres://postgres:<password>@127.0.0.1:<port>/postgres`. */
    url: string;
    port: number;
    pid: () => number | undefined;
    restarts: () => number;
    /** Fast shutdown: open transactions are rolled back, everything committed is on disk. */
    stop: () => Promise<void>;
};
/**
 * Starts PostgreSQL 18 on loopback, as root too (see `placement.ts`). What an earlier owner left
 * running or half-dead after `kill -9` is ended first. A postmaster that dies is started again;
 * one whose owner dies is stopped.
 * @throws {LockHeld} when a living process already runs this data directory
 * @throws {StartFailure} with the last lines of Postgres when it does not come up
 */
export declare function startPostgres(options: PostgresOptions): Promise<RunningPostgres>;
