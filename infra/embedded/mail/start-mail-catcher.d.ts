import type { ProcessEvent } from "../process/process-spec.ts";
export type MailCatcherOptions = {
    /** Caught mails are kept here as .eml files and shown again after a restart. */
    dataDir: string;
    smtpPort?: number | undefined;
    webPort?: number | undefined;
    onLog?: ((line: string) => void) | undefined;
    onEvent?: ((event: ProcessEvent) => void) | undefined;
};
export type RunningMailCatcher = {
    /** `smtp://127.0.0.1:<port>`, without encryption or sign-in. */
    smtpUrl: string;
    /** The mails in a browser; `<webUrl>/api/email` lists them as JSON. */
    webUrl: string;
    pid: () => number | undefined;
    stop: () => Promise<void>;
};
/**
 * Catches every mail that is sent to it, on loopback, and shows it in a browser; nothing leaves the
 * machine. Runs in a process of its own, which is started again when it dies.
 * @throws {StartFailure} with its last lines when it does not come up
 */
export declare function startMailCatcher(options: MailCatcherOptions): Promise<RunningMailCatcher>;
