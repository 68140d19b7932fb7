import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chown, mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { spawnTied } from "../process/lifeline.ts";
import { StartFailure } from "../process/process-spec.ts";
import type { Placement } from "./placement.ts";

const HALF_MADE = "cluster.new-";

/** Postgres reads no variable of its own from the caller's environment. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" };
}

/**
 * Makes the database cluster in `home/cluster` unless it is there. It is made under another name
 * and renamed when complete, so that an interrupted attempt leaves nothing that looks usable.
 * @returns the real path of the cluster
 */
export async function ensureCluster(placement: Placement, password: string): Promise<string> {
  const cluster = join(placement.home, "cluster");
  const version = await stat(join(cluster, "PG_VERSION")).catch(() => undefined);
  if (version !== undefined) return cluster;
  for (const name of await readdir(placement.home)) {
    if (!name.startsWith(HALF_MADE)) continue;
    await rm(join(placement.home, name), { recursive: true, force: true });
  }
  const partial = join(placement.home, `${HALF_MADE}${randomBytes(6).toString("hex")}`);
  const passwordFile = `${partial}.password`;
  const { identity } = placement;
  try {
    await mkdir(partial, { mode: 0o700 });
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    if (identity !== undefined) {
      await chown(partial, identity.uid, identity.gid);
      await chown(passwordFile, identity.uid, identity.gid);
    }
    await initialise(placement, partial, passwordFile);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(partial, cluster);
  return cluster;
}

async function initialise(
  { binaries, home, identity }: Placement,
  directory: string,
  passwordFile: string,
): Promise<void> {
  const args = [
    `--pgdata=${directory}`,
    "--username=postgres",
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    // Postgres' own Unicode rules: the same order and case everywhere, whatever the system has.
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
  ];
  const child = spawnTied(binaries.initdb, args, {
    cwd: home,
    env: plainEnvironment(),
    ...identity,
    killSignal: "SIGTERM",
  });
  child.stdout?.resume();
  const ended = once(child, "close");
  const errors = child.stderr === null ? "" : await text(child.stderr);
  await ended;
  if (child.exitCode !== 0)
    throw new StartFailure("initdb", "failed", errors.trimEnd().split("\n"));
}
