export type Errand = {
    /** For people, as in "ledger migration". */
    name: string;
    script: string;
    environment: NodeJS.ProcessEnv;
    directory: string;
    withinMs: number;
    /** Ends it early. */
    signal: AbortSignal;
    onLine: (line: string) => void;
};
/**
 * Runs a Node script that ends by itself.
 * @throws {StartFailure} with its last lines when it fails or takes too long
 */
export declare function runToEnd(errand: Errand): Promise<void>;
