import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import type { Identity } from "../process/process-spec.ts";

/** A user as which the tests can run a program. */
export type TestUser = { name: string; identity: Identity | undefined };

const ORDINARY_USER = { uid: 65_534, gid: 65_534 };
const here = fileURLToPath(new URL(".", import.meta.url));

/**
 * The current user, and an ordinary user beside root. (Root of a checkout that no other user may
 * enter cannot run anything from it as another user.)
 */
export async function testUsers(): Promise<TestUser[]> {
  const self = { name: "the current user", identity: undefined };
  if (process.getuid?.() !== 0) return [self];
  for (let place = here; place !== dirname(place); place = dirname(place)) {
    if (((await stat(place)).mode & 0o001) === 0) return [self];
  }
  return [self, { name: "an ordinary user", identity: ORDINARY_USER }];
}

/** A process that owns something, which a test can kill. */
export type Owner = {
  process: ChildProcess;
  /** What it printed as its first line. */
  announced: string;
  /** `kill -9`, as a crash or an impatient person does. */
  kill: () => Promise<void>;
};

/** Runs a script of this folder until it has printed its first line. */
export async function startOwner(
  script: string,
  args: readonly string[],
  user: TestUser = { name: "the current user", identity: undefined },
): Promise<Owner> {
  const child = spawn(process.execPath, [`${here}${script}`, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    ...user.identity,
  });
  const lines = createInterface({ input: child.stdout });
  const announced = await new Promise<string>((resolve, reject) => {
    lines.once("line", resolve);
    child.once("error", reject);
    child.once("close", (code) => reject(new Error(`${script} ended with ${code}`)));
  });
  return {
    process: child,
    announced,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
