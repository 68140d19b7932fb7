import type { ProvisionOptions } from "./roles.ts";
/**
 * What to provision, from the environment.
 * @throws naming every variable that is missing or wrong, never its value
 */
export declare function readProvisionOptions(source?: NodeJS.ProcessEnv): ProvisionOptions;
