import { type ChildProcess, spawn } from "node:child_process";

/**
 * Ends a foreign program when this process dies, `kill -9` included. A tiny shell waits on a pipe
 * whose other end only this process holds; at its end it signals the program. (Programs that are
 * not Node have no IPC channel to notice it by themselves.)
 * @returns cuts the lifeline without signalling, for when the program has ended
 */
export function tieToThisProcess(pid: number, signal: "INT" | "TERM"): () => void {
  const script = 'read -r _; kill -"$2" "$1" 2>/dev/null';
  const watcher: ChildProcess = spawn("/bin/sh", ["-c", script, "lifeline", String(pid), signal], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    cwd: "/",
  });
  watcher.unref();
  // A watcher that could not start leaves the program to the recovery of the next start.
  watcher.on("error", () => undefined);
  watcher.stdin?.on("error", () => undefined);
  return () => void watcher.kill("SIGKILL");
}
