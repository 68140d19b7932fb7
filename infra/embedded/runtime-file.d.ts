import { z } from "zod";
/** A running process, with what proves later that its number still belongs to it. */
declare const RecordedProcess: z.ZodObject<{
    name: z.ZodString;
    pid: z.ZodNumber;
    fingerprint: z.ZodString;
    stopSignal: z.ZodEnum<{
        SIGINT: "SIGINT";
        SIGTERM: "SIGTERM";
    }>;
}, z.core.$strip>;
export type RecordedProcess = z.infer<typeof RecordedProcess>;
/**
 * Where everything of the running instance is. Holds passwords: readable for its owner only. It is
 * there while the instance runs, and after one that was killed.
 */
declare const Runtime: z.ZodObject<{
    pid: z.ZodNumber;
    startedAt: z.ZodISODateTime;
    origin: z.ZodString;
    postgres: z.ZodOptional<z.ZodObject<{
        superuserUrl: z.ZodString;
        ownerUrl: z.ZodString;
    }, z.core.$strip>>;
    clickhouse: z.ZodOptional<z.ZodObject<{
        url: z.ZodString;
        database: z.ZodString;
    }, z.core.$strip>>;
    mail: z.ZodOptional<z.ZodObject<{
        smtpUrl: z.ZodString;
        webUrl: z.ZodString;
    }, z.core.$strip>>;
    services: z.ZodRecord<z.ZodString, z.ZodString>;
    processes: z.ZodArray<z.ZodObject<{
        name: z.ZodString;
        pid: z.ZodNumber;
        fingerprint: z.ZodString;
        stopSignal: z.ZodEnum<{
            SIGINT: "SIGINT";
            SIGTERM: "SIGTERM";
        }>;
    }, z.core.$strip>>;
}, z.core.$strip>;
export type Runtime = z.infer<typeof Runtime>;
/** Undefined when nothing runs on this data directory, and nothing was killed on it either. */
export declare function readRuntime(dataDir: string): Promise<Runtime | undefined>;
export declare function writeRuntime(dataDir: string, runtime: Runtime): Promise<void>;
export declare function removeRuntime(dataDir: string): Promise<void>;
export {};
