import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

import { vi } from "vitest";

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

let runs = 0;

/**
 * {@link runProgram} within this process, one at a time: only the program itself is loaded anew, not
 * what it imports. For all but one test of a program.
 */
export async function runHere(
  file: URL,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const { argv, env: own } = process;
  const written = { output: "", errors: "" };
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      written.output += String(text);
      return true;
    }),
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      written.errors += String(text);
      return true;
    }),
  ];
  Object.assign(process, {
    argv: [process.execPath, fileURLToPath(file), ...args],
    env: { ...env },
  });
  try {
    runs += 1;
    await import(`${file.href}?run=${runs}`);
    return { code: Number(process.exitCode ?? 0), ...written };
  } finally {
    Object.assign(process, { argv, env: own, exitCode: undefined });
    for (const spy of spies) spy.mockRestore();
  }
}
