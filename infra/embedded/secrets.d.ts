import { z } from "zod";
/** Everything secret of one local instance, each 32 random bytes in hexadecimal. */
declare const Secrets: z.ZodObject<{
    postgresPassword: z.ZodString;
    ownerPassword: z.ZodString;
    ledgerPassword: z.ZodString;
    collectorPassword: z.ZodString;
    clickhousePassword: z.ZodString;
    internalToken: z.ZodString;
    collectorKey: z.ZodString;
}, z.core.$strip>;
export type Secrets = z.infer<typeof Secrets>;
/**
 * The secrets of a data directory, made once and kept in `secrets.json` (owner only). Ones that a
 * later version needs are added; known ones never change, since the stores know them.
 */
export declare function rememberedSecrets(dataDir: string): Promise<Secrets>;
export {};
