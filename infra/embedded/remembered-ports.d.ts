import { z } from "zod";
declare const Ports: z.ZodRecord<z.ZodString, z.ZodNumber>;
export type Ports = z.infer<typeof Ports>;
/**
 * One free loopback port for each name, the same ones as last time wherever they are still free, so
 * that a saved database connection goes on working after a restart.
 */
export declare function choosePorts(dataDir: string, names: readonly string[]): Promise<Ports>;
export {};
