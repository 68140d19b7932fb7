import { parseArgs } from "node:util";

import { ArchiveBroken } from "@pro-talent/platform/crypto/sealed-stream";
import { SignatureBroken } from "@pro-talent/platform/crypto/signed-text";
import { printLine } from "@pro-talent/platform/runtime/operator";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { runCommand } from "@pro-talent/platform/runtime/run-command";

import { readEnvironment } from "../embedded/env.ts";
import { rememberedSecrets } from "../embedded/secrets.ts";
import { type Manifest, setNames } from "./manifest.ts";
import { listSets, type ListedSet, purgeExpired } from "./purge.ts";
import { restoreBackup, verifyBackup } from "./restore.ts";
import { keepSchedule } from "./schedule.ts";
import { type BackupSettings, readBackupSettings, readStores } from "./settings.ts";
import { dayMs, takeBackup } from "./take.ts";

/** `npm run backup -- <command>`: backups of everything that the product stores. */
const usage = `Usage: npm run backup -- take            takes a set now, while everything runs
       npm run backup -- schedule        takes and purges sets at their times until it is stopped
       npm run backup -- list            all sets, with age and expiry
       npm run backup -- verify [set]    restores it into a scratch directory and compares; the newest if none is named
       npm run backup -- restore <set>   puts DATA_DIR back to it; nothing may run there
       npm run backup -- purge           destroys the keys and files of expired sets`;

const commands: Record<string, (settings: BackupSettings, set?: string) => Promise<number>> = {
  take: async (settings) => {
    const from = performance.now();
    const manifest = await takeBackup(settings, await readStores(process.env));
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    printLine(`${manifest.set} holds ${sizeOf(manifest)}, taken in ${seconds} s.`);
    printLine(`It is purged on ${manifest.expiresAt.slice(0, 10)}.`);
    return 0;
  },
  schedule: async (settings) => {
    const stopping = new AbortController();
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.once(signal, () => stopping.abort());
    await keepSchedule(settings, process.env, { signal: stopping.signal, report: printLine });
    return 0;
  },
  list: async (settings) => {
    const sets = await listSets(settings);
    for (const one of sets) printLine(described(one, settings.clock()));
    if (sets.length === 0) printLine("There is no backup yet.");
    return 0;
  },
  verify: async (settings, named) => {
    const set = named ?? (await setNames(settings.directory)).at(-1);
    if (set === undefined) throw new OperatorError("There is no backup yet.");
    const differences = await verifyBackup(settings, set, await superuserPassword());
    return reported(differences, `${set} holds: restored, started, verified and compared.`);
  },
  restore: async (settings, set) => {
    if (set === undefined) throw new OperatorError("Name the set to restore; `list` shows them.");
    const target = {
      dataDir: readEnvironment().dataDir,
      superuserPassword: await superuserPassword(),
    };
    const { former, reapplied, differences } = await restoreBackup(settings, set, target);
    if (former !== undefined) {
      printLine(`The former data is in ${former}. Delete it when it is no longer needed.`);
    }
    if (differences.length === 0) {
      printLine(
        `Erased again: ${reapplied.keys} keys of subjects, ${reapplied.accounts} accounts.`,
      );
    }
    return reported(differences, `${target.dataDir} is as ${set} was, and may be started.`);
  },
  purge: async (settings) => {
    const purged = await purgeExpired(settings);
    for (const { set, epoch } of purged) printLine(`${set} is gone, and its key ${epoch}.`);
    if (purged.length === 0) printLine("Nothing has expired.");
    return 0;
  },
};

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

/** Of the cluster that was backed up. */
async function superuserPassword(): Promise<string> {
  const url = process.env["POSTGRES_ADMIN_URL"];
  if (url !== undefined) return decodeURIComponent(new URL(url).password);
  return (await rememberedSecrets(readEnvironment().dataDir)).postgresPassword;
}

await runCommand(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [name = "", set] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    printLine(usage);
    return 1;
  }
  try {
    return await command(await readBackupSettings(process.env), set);
  } catch (error) {
    if (!(error instanceof ArchiveBroken || error instanceof SignatureBroken)) throw error;
    throw new OperatorError(`${error.message}. Nothing of it was used.`, { cause: error });
  }
});
