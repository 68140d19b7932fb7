import type { Placement } from "./placement.ts";
/** Postgres reads no variable of its own from the caller's environment. */
export declare function plainEnvironment(): NodeJS.ProcessEnv;
/**
 * Makes the database cluster in `home/cluster` unless it is there. It is made under another name
 * and renamed when complete, so that an interrupted attempt leaves nothing that looks usable.
 * @returns the real path of the cluster
 */
export declare function ensureCluster(placement: Placement, password: string, onLine: (line: string) => void): Promise<string>;
