import { exec } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

import { z } from "zod";

/** A gate is a script of package.json whose name starts with `check:`. */
export type Gate = { name: string; command: string };
type Verdict = { gate: string; passed: boolean; seconds: number; output: string };

const root = fileURLToPath(new URL("../..", import.meta.url));
const Manifest = z.object({ scripts: z.record(z.string(), z.string()) });

/** The gates that package.json declares, in its order. */
export function readGates(): Gate[] {
  const text = readFileSync(join(root, "package.json"), "utf8");
  return Object.entries(Manifest.parse(JSON.parse(text)).scripts).flatMap(([script, command]) => {
    const [, name] = /^check:(.+)$/u.exec(script) ?? [];
    return name === undefined ? [] : [{ name, command }];
  });
}

/** Runs one gate in a directory. It passes when its command ends with 0. */
export function runGate({ name, command }: Gate, directory: string): Promise<Verdict> {
  const started = performance.now();
  const path = [join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  const env = { ...process.env, PATH: path, NO_COLOR: "1", FORCE_COLOR: undefined };
  return new Promise((resolve) => {
    exec(command, { cwd: directory, env, maxBuffer: Infinity }, (error, stdout, stderr) => {
      const seconds = (performance.now() - started) / 1000;
      resolve({ gate: name, passed: error === null, seconds, output: stdout + stderr });
    });
  });
}

function print({ gate, passed, seconds, output }: Verdict): void {
  const word = passed ? "ok  " : "FAIL";
  console.log(`${word}  ${gate.padEnd(18)} ${seconds.toFixed(1).padStart(6)} s`);
  if (!passed) console.log(`${output.trimEnd()}\n`);
}

/**
 * Runs every gate of the repository except those named, as many at once as there are processors,
 * and prints a line for each.
 * @returns how many passed and failed; no gate at all counts as a failure
 */
export async function check(
  without: readonly string[] = [],
): Promise<{ passed: number; failed: number }> {
  const waiting = readGates().filter(({ name }) => !without.includes(name));
  const failed: string[] = [];
  const count = waiting.length;
  const worker = async (): Promise<void> => {
    for (let gate = waiting.shift(); gate !== undefined; gate = waiting.shift()) {
      const verdict = await runGate(gate, root);
      if (!verdict.passed) failed.push(gate.name);
      print(verdict);
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker));
  console.log(`${count - failed.length} of ${count} gates passed ${failed.join(", ")}`.trimEnd());
  return count === 0
    ? { passed: 0, failed: 1 }
    : { passed: count - failed.length, failed: failed.length };
}

if (import.meta.main && (await check()).failed > 0) process.exitCode = 1;
