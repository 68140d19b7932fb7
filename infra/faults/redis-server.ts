import { execFile } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";

import { choosePort } from "../embedded/ports.ts";
import { SupervisedProcess } from "../embedded/process/supervised-process.ts";

const program = "redis-server";

/** Whether this machine has Redis. */
export async function hasRedis(): Promise<boolean> {
  return await promisify(execFile)(program, ["--version"]).then(
    () => true,
    () => false,
  );
}

/**
 * Starts a Redis of its own on loopback with the settings of docker-compose.yml. It is started again
 * whenever it ends, and reads its append-only file then.
 */
export async function startRedis(directory: string) {
  const port = await choosePort();
  const data = join(directory, "redis");
  await mkdir(data, { recursive: true });
  await mkdir(join(directory, "logs"), { recursive: true });
  const settings = { port, bind: "127.0.0.1", dir: data, appendonly: "yes", save: "" };
  const fixed = { "maxmemory-policy": "noeviction", appendfsync: "everysec" };
  const server = new SupervisedProcess({
    name: "redis",
    program: {
      command: program,
      args: Object.entries({ ...settings, ...fixed }).flatMap(([name, value]) => [
        `--${name}`,
        String(value),
      ]),
      isReady: async () => (await command(port, "PING")) === "+PONG",
    },
    environment: {},
    directory: data,
    readyWithinMs: 30_000,
    backoffMaxMs: 100,
    stopSignal: "SIGTERM",
    stopWithinMs: 10_000,
    onLine: (line) => void appendFile(join(directory, "logs", "redis.log"), `${line}\n`),
    onEvent: () => undefined,
  });
  await server.start();
  return {
    url: `redis://127.0.0.1:${port}`,
    /** Everything that it holds is gone. */
    lose: async (): Promise<void> => {
      const answer = await command(port, "FLUSHALL");
      if (answer !== "+OK") throw new Error(`Redis answered ${answer}`);
    },
    /** Keeps a text, which then is in its file. */
    keep: async (text: string): Promise<void> => {
      const answer = await command(port, `SET decoy ${text}`);
      if (answer !== "+OK") throw new Error(`Redis answered ${answer}`);
    },
    /** Ends it without warning: up to a second of what it took may be lost. */
    kill9: (): void => {
      const pid = server.pid();
      if (pid !== undefined) process.kill(pid, "SIGKILL");
    },
    stop: () => server.stop(),
  };
}

/** Sends an inline command. @returns the first line of the answer */
async function command(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    socket.write(`${text}\r\n`);
    for await (const bytes of socket.setEncoding("utf8")) return String(bytes).trim();
    return "";
  } finally {
    socket.destroy();
  }
}
