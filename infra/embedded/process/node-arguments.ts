import { fileURLToPath } from "node:url";

const exitWithParent = fileURLToPath(new URL("exit-with-parent.ts", import.meta.url));

/** Arguments for Node that run a script which ends when this process does. */
export function nodeArguments(script: string, ...args: readonly string[]): string[] {
  return ["--import", exitWithParent, script, ...args];
}
