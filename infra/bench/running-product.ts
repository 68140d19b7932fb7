import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { choosePort } from "../embedded/ports.ts";
import { readRuntime } from "../embedded/runtime-file.ts";

const program = fileURLToPath(new URL("../embedded/start.ts", import.meta.url));

export type RunningProduct = Awaited<ReturnType<typeof startProduct>>;

/**
 * Starts what `npm start` runs as a child process, on a port of its own; resolves once it has
 * printed its address.
 * @param environment beside the caller's own, such as settings of services
 * @throws with its output when it ends before
 */
export async function startProduct(dataDir: string, environment: Record<string, string> = {}) {
  const from = performance.now();
  const port = String(await choosePort());
  const child = spawn(process.execPath, [program], {
    // As npm sets it: the product ends when this process does.
    env: {
      ...process.env,
      npm_lifecycle_event: "start",
      DEMO: "off",
      PORT: port,
      DATA_DIR: dataDir,
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const lines = createInterface(child.stdout);
  const output: string[] = [];
  await new Promise<void>((resolve, reject) => {
    lines.on("line", (line) => {
      output.push(line);
      if (line.includes(`http://localhost:${port}`)) resolve();
    });
    lines.on("close", () => reject(new Error(`It did not start\n${output.join("\n")}`)));
  });
  const readySeconds = (performance.now() - from) / 1000;
  const runtime = await readRuntime(dataDir);
  if (runtime === undefined || child.pid === undefined) throw new Error("It wrote no addresses");
  return {
    pid: child.pid,
    /** From its launch until it was ready. */
    readySeconds,
    /** Addresses of the gateway, the services and the mail catcher. */
    runtime,
    stop: async (): Promise<void> => {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
