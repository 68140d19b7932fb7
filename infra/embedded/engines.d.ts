import { startClickhouse } from "./clickhouse/start-clickhouse.ts";
import type { Ground } from "./ground.ts";
import { type RunningMailCatcher } from "./mail/start-mail-catcher.ts";
import { type RunningPostgres } from "./postgres/start-postgres.ts";
import { type ProcessEvent } from "./process/process-spec.ts";
import type { Engine } from "./service-definition.ts";
export declare const CLICKHOUSE_DATABASE = "pro_talent";
/** What an engine is once it runs. */
export type RunningEngines = {
    postgres: RunningPostgres;
    clickhouse: Awaited<ReturnType<typeof startClickhouse>>;
    mail: RunningMailCatcher;
};
/** The engines of one instance while they start, run and stop; they start side by side. */
export declare class Engines {
    #private;
    constructor(ground: Ground, wanted: ReadonlySet<Engine>, report: {
        onEvent: (event: ProcessEvent) => void;
        onNotice: (text: string) => void;
    });
    /**
     * Resolves when all of these run; the others are absent from the result.
     * @throws when one failed to start, or is not part of this instance
     */
    ready(names: Iterable<Engine>): Promise<Partial<RunningEngines>>;
    /** Stops what runs, and what is still starting as soon as it runs. */
    stop(): Promise<void>;
}
/** Address of the product's database for a role, on the embedded Postgres. */
export declare function databaseUrl(ground: Ground, role: string, password: string): string;
/** Address of the product's database for its owner. */
export declare function ownerUrl(ground: Ground): string;
