/** Arguments for Node that run a script which ends when this process does. */
export declare function nodeArguments(script: string, ...args: readonly string[]): string[];
