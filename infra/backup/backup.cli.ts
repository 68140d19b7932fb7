import { parseArgs } from "node:util";

import { ArchiveBroken } from "@pro-talent/platform/crypto/sealed-stream";
import { SignatureBroken } from "@pro-talent/platform/crypto/signed-text";
import { printLine } from "@pro-talent/platform/runtime/operator";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { runCommand } from "@pro-talent/platform/runtime/run-command";
import { Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { readEnvironment } from "../embedded/env.ts";
import { type Manifest, setNames } from "./manifest.ts";
import { proofOf } from "./proof.ts";
import { listSets, type ListedSet, purgeExpired } from "./purge.ts";
import { restoreBackup, type RestorePoint, verifyBackup } from "./restore.ts";
import {
  type BackupSettings,
  readBackupSettings,
  readStores,
  superuserPassword,
} from "./settings.ts";
import { dayMs, takeBackup } from "./take.ts";
import { listRanges, WalGap } from "./wal-range.ts";
import { gapsInArchive, setBefore } from "./wal-restore.ts";

/** `npm run backup -- <command>`: backups of everything that the product stores. */
const usage = `Usage: npm run backup -- take            takes a set now, while everything runs
       npm run backup -- list            all sets, with age and expiry
       npm run backup -- verify [set]    restores it with all archived log and compares; the newest if none is named
       npm run backup -- restore <set>   puts DATA_DIR back to it; nothing may run there
       npm run backup -- restore --at <instant>
                                         puts DATA_DIR back to that moment, as 2026-03-01T08:00:00.000Z, or to the
                                         newest one that is archived: --at newest
       npm run backup -- proof <request> what could hold the data of an erased subject, and the state of its keys
       npm run backup -- purge           destroys the keys and files of expired sets`;

type Asked = { readonly set: string | undefined; readonly at: string | undefined };

const commands: Record<string, (settings: BackupSettings, asked: Asked) => Promise<number>> = {
  take: async (settings) => {
    const from = performance.now();
    const manifest = await takeBackup(settings, await readStores(process.env));
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    printLine(`${manifest.set} holds ${sizeOf(manifest)}, taken in ${seconds} s.`);
    printLine(`It is purged on ${manifest.expiresAt.slice(0, 10)}.`);
    return 0;
  },
  list: async (settings) => {
    const sets = await listSets(settings);
    for (const one of sets) printLine(described(one, settings.clock()));
    if (sets.length === 0) printLine("There is no backup yet.");
    for (const { range, header, openable } of await listRanges(settings)) {
      const state = openable ? "opens" : "its key was destroyed: nothing opens it";
      printLine(`${range}  write-ahead log from ${header?.from ?? "an unknown place"}, ${state}`);
    }
    return 0;
  },
  verify: async (settings, { set: named }) => {
    const set = named ?? (await setNames(settings.directory)).at(-1);
    if (set === undefined) throw new OperatorError("There is no backup yet.");
    const differences = [
      ...(await verifyBackup(settings, set, await superuserPassword(process.env))),
      ...(await gapsInArchive(settings)),
    ];
    return reported(differences, `${set} holds: restored, started, verified and compared.`);
  },
  restore: async (settings, asked) => {
    const point = await pointOf(settings, asked);
    const target = {
      dataDir: readEnvironment().dataDir,
      superuserPassword: await superuserPassword(process.env),
    };
    const { former, at, reapplied, differences } = await restoreBackup(settings, point, target);
    printLine(`The former data is in ${former}. Delete it when it is no longer needed.`);
    if (differences.length === 0) {
      printLine(
        `Erased again: ${reapplied.keys} keys of subjects, ${reapplied.accounts} accounts.`,
      );
    }
    const what = `Postgres is as at ${at}, everything else as ${point.set} was`;
    return reported(differences, `${what}. ${target.dataDir} may be started.`);
  },
  proof: async (settings, { set: requestId }) => {
    if (requestId === undefined) throw new OperatorError("Name the privacy request.");
    const running = await readStores(process.env).catch(() => undefined);
    const proof = await proofOf(settings, requestId, running?.postgresAdminUrl);
    printLine(JSON.stringify(proof, null, 2));
    return 0;
  },
  purge: async (settings) => {
    const purged = await purgeExpired(settings);
    for (const { name, epoch } of purged) printLine(`${name} is gone, and its key ${epoch}.`);
    if (purged.length === 0) printLine("Nothing has expired.");
    return 0;
  },
};

async function pointOf(settings: BackupSettings, { set, at }: Asked): Promise<RestorePoint> {
  if (at === undefined && set !== undefined) return { set, untilMs: 0 };
  if (at === undefined || set !== undefined) {
    throw new OperatorError("Name the set to restore (`list` shows them), or a moment with --at.");
  }
  const now = instantFromMs(settings.clock());
  const moment = Instant.safeParse(at === "newest" ? now : at);
  if (!moment.success)
    throw new OperatorError("--at takes an instant, as 2026-03-01T08:00:00.000Z.");
  return { set: await setBefore(settings, moment.data), untilMs: Date.parse(moment.data) };
}

function described({ set, manifest, openable }: ListedSet, nowMs: number): string {
  if (manifest === undefined) return `${set}  its manifest was changed: it is not used`;
  const days = (until: number): string => `${(until / dayMs).toFixed(1)} days`;
  const age = days(nowMs - Date.parse(manifest.madeAt));
  const left = Date.parse(manifest.expiresAt) - nowMs;
  const expiry = left > 0 ? `purged in ${days(left)}` : "expired, to be purged";
  const key = openable ? "" : "  its key was destroyed: nothing opens it";
  return `${set}  ${age} old, ${expiry}, ${sizeOf(manifest)}, ledger to position ${manifest.ledger.to.position}${key}`;
}

function sizeOf({ archives }: Manifest): string {
  const sum = (of: "bytes" | "plainBytes"): string =>
    (archives.reduce((bytes, archive) => bytes + archive[of], 0) / 1e6).toFixed(1);
  return `${sum("plainBytes")} MB in ${sum("bytes")} MB`;
}

function reported(differences: readonly string[], success: string): number {
  for (const difference of differences) printLine(difference);
  printLine(differences.length === 0 ? success : "The backup does not agree with its manifest.");
  return differences.length === 0 ? 0 : 1;
}

await runCommand(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { at: { type: "string" } },
  });
  const [name = "", set] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    printLine(usage);
    return 1;
  }
  try {
    return await command(await readBackupSettings(process.env), { set, at: values.at });
  } catch (error) {
    const isBroken = [ArchiveBroken, SignatureBroken, WalGap].some((kind) => error instanceof kind);
    if (!isBroken || !(error instanceof Error)) throw error;
    throw new OperatorError(`${error.message}. Nothing of it was used.`, { cause: error });
  }
});
