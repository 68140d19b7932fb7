import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

/** How a program ended: its exit code, what it wrote to stdout and to stderr. */
type Ended = {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
};

/** The variable by which a program keeps its compiled modules: half of the time of a short one is their compiling. */
export const compiledModules = {
  NODE_COMPILE_CACHE: fileURLToPath(
    new URL("../../../node_modules/.cache/compiled", import.meta.url),
  ),
};

/** Runs an operator's program as a process of its own, with these variables alone and this input. */
export function runProgram(
  file: URL,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input: string | Uint8Array = "",
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [fileURLToPath(file), ...args],
      { env: { ...compiledModules, ...env } },
      (_error, output, errors) => resolve({ code: child.exitCode ?? -1, output, errors }),
    );
    // A program that reads no input may have ended.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}
