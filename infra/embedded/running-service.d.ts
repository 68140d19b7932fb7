import { type Engines } from "./engines.ts";
import type { Ground } from "./ground.ts";
import type { ProcessEvent } from "./process/process-spec.ts";
import type { ServiceDefinition } from "./service-definition.ts";
export type ServiceSetting = {
    definition: ServiceDefinition;
    ground: Ground;
    engines: Engines;
    logLevel: string;
    /** Ends a start that is under way. */
    signal: AbortSignal;
    onEvent: (event: ProcessEvent) => void;
    onLine: (service: string, line: string) => void;
};
/** One service of an instance: migrated, started, watched and stopped. */
export declare class RunningService {
    #private;
    readonly definition: ServiceDefinition;
    readonly url: string;
    constructor(setting: ServiceSetting);
    pid(): number | undefined;
    /**
     * Waits for its engines, migrates its stores and starts it; resolves when it is ready.
     * @throws {StartFailure} with the last lines of the migration or the service
     */
    start(): Promise<void>;
    stop(): Promise<void>;
}
