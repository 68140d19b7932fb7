import { execFile } from "node:child_process";
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

import type { Identity } from "../process/process-spec.ts";
import { type Binaries, binariesIn } from "./binaries.ts";

const run = promisify(execFile);

/** Where a cluster is, and as which user and from where its programs run. */
export type Placement = { home: string; binaries: Binaries; identity: Identity | undefined };

/** Users that exist on nearly every system and own nothing of value. No user is ever created. */
const UNPRIVILEGED_USERS = ["postgres", "nobody"] as const;
/** Used only by root, for what its own directories hide from every other user. */
const ROOT_STORE = "/var/lib/pro-talent";

/**
 * Decides how Postgres runs here. For an ordinary user: as that user, in `dataDir`. Postgres
 * refuses to run as root, so that root runs it as another user; where that user may not enter
 * (a checkout in /root, for example), cluster and programs are kept in /var/lib/pro-talent, with a
 * link `dataDir/elsewhere` to the cluster.
 * @param dataDir real path of an existing directory
 */
export async function placeCluster(dataDir: string, binaries: Binaries): Promise<Placement> {
  const user = await unprivilegedUser();
  if (user === undefined) return { home: dataDir, binaries, identity: undefined };
  const identity = (await ownerOf(join(dataDir, "cluster"))) ?? user;
  const home = (await mayEnter(identity, dataDir)) ? dataDir : await homeElsewhere(dataDir);
  const reachable = (await mayEnter(identity, join(binaries.native, "bin")))
    ? binaries
    : await copyBinaries(binaries);
  const owner = (await ownerOf(join(home, "cluster"))) ?? identity;
  return { home, binaries: reachable, identity: owner };
}

/** Who owns an existing cluster: it goes on running as that user. */
async function ownerOf(directory: string): Promise<Identity | undefined> {
  const found = await stat(directory).catch(() => undefined);
  return found === undefined || found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid };
}

/** The user that root runs an unprivileged program as; undefined for an ordinary user, who runs it as itself. */
export async function unprivilegedUser(): Promise<Identity | undefined> {
  return process.getuid?.() === 0 ? await findUser() : undefined;
}

async function findUser(): Promise<Identity> {
  for (const user of UNPRIVILEGED_USERS) {
    try {
      const [uid, gid] = await Promise.all([run("id", ["-u", user]), run("id", ["-g", user])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {
      // `id` fails for a user that does not exist; the next one may.
    }
  }
  throw new Error(
    `Postgres cannot run as root and none of the users ${UNPRIVILEGED_USERS.join(", ")} exists. Start it as an ordinary user.`,
  );
}

/** Whether a user may pass every directory on the way to `directory`, itself included. */
async function mayEnter(identity: Identity, directory: string): Promise<boolean> {
  for (let place = directory; ; place = dirname(place)) {
    const { mode, uid, gid } = await stat(place);
    const bit = uid === identity.uid ? 0o100 : gid === identity.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (place === dirname(place)) return true;
  }
}

/** The link is the only way to such a cluster: with the data directory gone, a new one is made. */
async function homeElsewhere(dataDir: string): Promise<string> {
  const link = join(dataDir, "elsewhere");
  const known = await readlink(link).catch(() => undefined);
  if (known !== undefined && (await lstat(known).catch(() => undefined)) !== undefined)
    return known;
  await mkdir(ROOT_STORE, { recursive: true, mode: 0o711 });
  const home = await mkdtemp(join(ROOT_STORE, "postgres-"));
  await chmod(home, 0o711);
  await rm(link, { force: true });
  await symlink(home, link);
  return home;
}

async function copyBinaries(binaries: Binaries): Promise<Binaries> {
  const { mtimeMs, size } = await stat(binaries.postgres);
  const target = join(ROOT_STORE, `binaries-${Math.round(mtimeMs)}-${size}`);
  if ((await stat(target).catch(() => undefined)) === undefined) {
    await mkdir(ROOT_STORE, { recursive: true, mode: 0o711 });
    const partial = await mkdtemp(`${target}-`);
    await cp(binaries.native, partial, { recursive: true, verbatimSymlinks: true });
    await chmod(partial, 0o755);
    // A second process finds the name taken by an equal copy.
    await rename(partial, target).catch(() => rm(partial, { recursive: true, force: true }));
  }
  return binariesIn(target);
}
