import { type Engines } from "./engines.ts";
import type { Gateway } from "./gateway/start-gateway.ts";
import type { Ground } from "./ground.ts";
import type { RunningService } from "./running-service.ts";
import { type Runtime } from "./runtime-file.ts";
import type { Engine } from "./service-definition.ts";
/**
 * Describes an instance that runs.
 * @returns writes `runtime.json` with the numbers that the processes have now, and returns it
 */
export declare function prepareRecord(instance: {
    ground: Ground;
    gateway: Gateway;
    engines: Engines;
    services: readonly RunningService[];
    wanted: readonly Engine[];
}): Promise<() => Promise<Runtime>>;
