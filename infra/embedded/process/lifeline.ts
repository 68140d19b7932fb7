import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { Socket } from "node:net";

/**
 * Waits for the end of descriptor 3, which only the starter keeps open, in a process of its own, and
 * becomes the program. The waiting one exists before the program does, so that at no moment the
 * program can outlive its starter; it is not the program's child, which would not expect any.
 */
const script = `(cd / && exec /bin/sh -c 'read -r _ || kill -"$2" "$1"' lifeline $$ "$0" <&3 3<&- >/dev/null 2>&1 &); exec "$@" 3<&-`;

/**
 * Starts a program, with its output to be read and no input, that gets `killSignal` when this process
 * dies, `kill -9` included: for what has no IPC channel to notice it by itself.
 */
export function spawnTied(
  command: string,
  args: readonly string[],
  options: Omit<SpawnOptions, "stdio" | "killSignal"> & { killSignal: "SIGINT" | "SIGTERM" },
): ChildProcess {
  const signal = options.killSignal.slice("SIG".length);
  const child = spawn("/bin/sh", ["-c", script, signal, command, ...args], {
    ...options,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const line = child.stdio[3];
  if (line instanceof Socket) {
    // Read to its end, as `close` of the program waits for that.
    line.on("error", () => undefined).resume();
    // The waiting process ends without a signal: the number may belong to another program by then.
    child.once("exit", () => line.end("\n"));
  }
  return child;
}
