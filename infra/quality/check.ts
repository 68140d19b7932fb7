import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A gate is a script of package.json whose name starts with `check:`. */
export type Gate = { name: string; command: string };
export type Verdict = { gate: string; passed: boolean; seconds: number; output: string };

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The gates that package.json declares, in its order. */
export function readGates(packageJson: string): Gate[] {
  const parsed: unknown = JSON.parse(packageJson);
  if (typeof parsed !== "object" || parsed === null || !("scripts" in parsed)) return [];
  const scripts = Object.entries(parsed.scripts ?? {});
  return scripts.flatMap(([name, command]) =>
    name.startsWith("check:") && typeof command === "string"
      ? [{ name: name.slice("check:".length), command }]
      : [],
  );
}

/** Runs one gate and keeps what it says. A gate passes when its command ends with 0. */
export function runGate(gate: Gate, directory: string): Promise<Verdict> {
  const started = performance.now();
  const path = [join(root, "node_modules/.bin"), process.env["PATH"] ?? ""].join(delimiter);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const child = spawn(gate.command, {
      cwd: directory,
      shell: true,
      env: { ...process.env, PATH: path, FORCE_COLOR: "0" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    const end = (passed: boolean, word = ""): void => {
      const seconds = (performance.now() - started) / 1000;
      resolve({
        gate: gate.name,
        passed,
        seconds,
        output: Buffer.concat(chunks).toString() + word,
      });
    };
    child.on("error", (error) => end(false, error.message));
    child.on("close", (code) => end(code === 0));
  });
}

/** Runs the gates, as many at once as there are processors, and tells `report` as each one ends. */
export async function runGates(
  gates: readonly Gate[],
  directory: string,
  report: (verdict: Verdict) => void,
): Promise<Verdict[]> {
  const waiting = [...gates];
  const verdicts: Verdict[] = [];
  const worker = async (): Promise<void> => {
    for (let gate = waiting.shift(); gate !== undefined; gate = waiting.shift()) {
      const verdict = await runGate(gate, directory);
      verdicts.push(verdict);
      report(verdict);
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker));
  return verdicts;
}

function print(verdict: Verdict): void {
  const word = verdict.passed ? "ok  " : "FAIL";
  console.log(`${word}  ${verdict.gate.padEnd(18)} ${verdict.seconds.toFixed(1).padStart(6)} s`);
  if (!verdict.passed) console.log(`${verdict.output.trimEnd()}\n`);
}

/**
 * Runs every gate of the repository except those named, and prints a line for each.
 * @returns how many passed and failed; no gate at all counts as a failure
 */
export async function check(
  without: readonly string[] = [],
): Promise<{ passed: number; failed: number }> {
  const gates = readGates(readFileSync(join(root, "package.json"), "utf8"));
  const wanted = gates.filter((gate) => !without.includes(gate.name));
  if (wanted.length === 0) return { passed: 0, failed: 1 };
  const verdicts = await runGates(wanted, root, print);
  const failed = verdicts.filter((verdict) => !verdict.passed).map((verdict) => verdict.gate);
  console.log(
    failed.length === 0
      ? `${verdicts.length} gates passed`
      : `${failed.length} of ${verdicts.length} gates failed: ${failed.join(", ")}`,
  );
  return { passed: verdicts.length - failed.length, failed: failed.length };
}

if (import.meta.main) {
  const { failed } = await check();
  process.exitCode = failed === 0 ? 0 : 1;
}
