import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";

import { signedLine } from "@pro-talent/platform/crypto/signed-text";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { pack } from "tar-stream";

import { writeArchive } from "../backup/archive.ts";
import { beginEpoch } from "../backup/directory.ts";
import { type Manifest, manifestFile, manifestPurpose } from "../backup/manifest.ts";
import { compactInstant } from "../backup/postgres.ts";
import type { BackupSettings } from "../backup/settings.ts";
import { dayMs } from "../backup/take.ts";

/** A set as one of an instance would be, without its engines: every archive of it is empty. */
export async function makeSet(settings: BackupSettings, madeAtMs: number): Promise<string> {
  const id = `${compactInstant(madeAtMs)}-${randomBytes(4).toString("hex")}`;
  const directory = join(settings.directory, id);
  await mkdir(directory, { recursive: true });
  const { id: epoch } = await beginEpoch({ ...settings, clock: () => madeAtMs });
  const key = randomBytes(32);
  const empty = (): Readable => {
    const stream = pack();
    stream.finalize();
    return Readable.from(stream);
  };
  const archives = [];
  for (const name of ["postgres", "clickhouse", "files", "spool"]) {
    archives.push(await writeArchive({ directory, id, key }, name, empty()));
  }
  const end = { epoch: 1, position: 0, hash: "00" };
  const manifest: Manifest = {
    format: 1,
    set: id,
    madeAt: instantFromMs(madeAtMs),
    expiresAt: instantFromMs(madeAtMs + settings.retentionDays * dayMs),
    epoch,
    wrappedKey: (await settings.keys.wrap(epoch, key, id)).toString("base64"),
    ledger: { from: end, to: end },
    visits: [],
    archives,
  };
  const text = signedLine(settings.signingKey, manifestPurpose, manifest);
  await writeFile(join(directory, manifestFile), text);
  return id;
}
