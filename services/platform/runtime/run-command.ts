import { describeError } from "./logger.ts";
import { operatorErrorIn } from "./operator-error.ts";

/**
 * Runs a command of an operator and ends the process with the exit code that it returns, or with 1
 * when it fails: what the operator can change is said in a sentence; of anything else class, code
 * and place, since messages of drivers may quote data.
 */
export async function runCommand(command: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command();
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exitCode = 1;
  }
}

/** A failure as the person at the terminal may read it: nothing of what a driver quotes. */
export function describeFailure(error: unknown): string {
  const known = operatorErrorIn(error);
  if (known !== undefined) return known.message;
  const { type = "", code = "", stack = "" } = describeError(error);
  // What is wrong with the arguments, in Node's words.
  if (error instanceof TypeError && code.startsWith("ERR_PARSE_ARGS")) return error.message;
  return `The command failed: ${`${type} ${code}`.trim()}\n${stack}`;
}
