import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";

import { purgeExpired } from "../../backup/purge.ts";
import { restoreBackup } from "../../backup/restore.ts";
import type { BackupSettings } from "../../backup/settings.ts";
import { dayMs } from "../../backup/take.ts";
import { rememberedSecrets } from "../../embedded/secrets.ts";
import type { Finding } from "../compare-stored.ts";
import { collectCandidates, openCandidates } from "../sealed-candidates.ts";
import { allKeys, startInstance } from "./instance.ts";
import { unpackSet } from "./kept-copy.ts";
import type { Subject } from "./subject.ts";

/** What an instance keeps beside its stores, and a restore does not bring back. */
const keptFiles = [
  "secrets.json",
  "ledger-keys.json",
  "accounts-keys.json",
  "studio-keys.json",
  "erasure-journal.jsonl",
];

type OldBackup = {
  readonly settings: BackupSettings;
  readonly set: string;
  /** When it was taken. */
  readonly untilMs: number;
  readonly canary: Subject;
  /** Of the instance that goes on. */
  readonly dataDir: string;
};

/**
 * Restores a set from before the erasure into a new data directory with the keys that exist, and asks
 * the instance for what the canary had.
 */
export async function restoredBackup(
  directory: string,
  { settings, set, untilMs, canary, dataDir }: OldBackup,
): Promise<Finding[]> {
  const raw = join(directory, "raw");
  await unpackSet(settings, set, raw);
  const candidates = await collectCandidates([join(raw, "postgres")], []);
  const opened = openCandidates(candidates, await allKeys(dataDir), canary.ids);
  const fresh = join(directory, "restored");
  await mkdir(fresh);
  for (const name of keptFiles) await cp(join(dataDir, name), join(fresh, name));
  const { postgresPassword } = await rememberedSecrets(fresh);
  const target = { dataDir: fresh, superuserPassword: postgresPassword };
  const { differences, reapplied } = await restoreBackup(settings, { set, untilMs }, target);
  const instance = await startInstance(fresh);
  try {
    const { door } = instance;
    const { email, password, handle, links } = canary;
    const statuses: Record<string, number> = {};
    const ask = async (call: string, body?: object): Promise<void> => {
      const [method = "GET", path = ""] = call.split(" ");
      const answer = await fetch(new URL(path, door.origin), {
        method,
        redirect: "manual",
        headers: { "content-type": "application/json", origin: door.origin },
        ...(body && { body: JSON.stringify(body) }),
      });
      statuses[call] = answer.status;
    };
    await ask("POST /api/account/sign-in", { email, password });
    await ask("GET /api/account");
    for (const { code } of links) await ask(`GET /l/${code}`);
    await ask(`GET /p/${handle}`);
    const served = Object.entries(statuses).filter(([, status]) => status < 400);
    return [
      {
        statement: "the sealed set holds the canary raw",
        holds: opened.length > 0,
        figures: `${opened.length} texts open with the keys that exist then`,
      },
      {
        statement: "the restored instance is whole, and does not serve the canary",
        holds: differences.length === 0 && served.length === 0,
        figures: `${JSON.stringify(reapplied)}, ${Object.values(statuses).join(" ")} ${differences.join(" ")}`,
      },
    ];
  } finally {
    await instance.stop();
  }
}

/** Lets the time of a set pass, and tries a copy of it that was kept elsewhere. */
export async function purgedBackup(
  directory: string,
  { settings, set }: OldBackup,
): Promise<Finding> {
  const copy = { ...settings, directory: join(directory, "copy") };
  await cp(join(settings.directory, set), join(copy.directory, set), { recursive: true });
  const clock = () => settings.clock() + (settings.retentionDays + 1) * dayMs;
  const purged = await purgeExpired({ ...settings, clock });
  const refusal = await unpackSet(copy, set, join(directory, "opened")).then(
    () => "it opens",
    (error: unknown) => String(error),
  );
  return {
    statement: "after the purge a copy of the backup opens with nothing that is left",
    holds: purged.some(({ name }) => name === set) && refusal.includes("EpochUnknown"),
    figures: refusal,
  };
}
