import { dirname, join } from "node:path";

import { signingKey } from "@pro-talent/platform/crypto/signed-text";
import { openSignedLog, type SignedLog } from "@pro-talent/platform/files/signed-log";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { type Instant, instantFromMs, instantPlus } from "@pro-talent/schemas/primitives/instant";
import {
  BackupHorizon,
  backupHorizonFile,
  backupHorizonPurpose,
  keyStoreBackupDays,
} from "@pro-talent/schemas/privacy/erasure-journal";

import { causeAfterLast } from "../../../kernel/causes.ts";
import { type CommandContext, type Ledger, runCommand } from "../../../kernel/commands.ts";
import type { WorkerContext } from "../../../kernel/module.ts";
import { loadState } from "../../../kernel/streams.ts";
import type { TimerHandler } from "../../../kernel/timers.ts";
import type { PrivacyCommand } from "../decider.ts";
import { privacyRequests } from "../requests.ts";
import type { JournalEnv } from "./journal.ts";

const dayMs = 24 * 60 * 60_000;
type Horizon = (SignedLog<BackupHorizon> & { readonly keyId: string }) | undefined;

/** What the backup program writes beside the journal; undefined where there is none. */
export function openHorizon(env: JournalEnv): Horizon {
  const { ERASURE_JOURNAL_FILE: file, ERASURE_JOURNAL_KEY: key } = env;
  if (file === undefined || key === undefined) return undefined;
  const signing = signingKey(key);
  const log = openSignedLog(join(dirname(file), backupHorizonFile), {
    key: signing,
    purpose: backupHorizonPurpose,
    contract: BackupHorizon,
  });
  return { ...log, keyId: signing.id };
}

/**
 * Looks for deletions whose erased data no backup holds any more, nor a backup of a key store the key of
 * one that does, and completes them.
 */
export function completeAged({ ledger, clock }: WorkerContext, horizon: Horizon) {
  return async (): Promise<void> => {
    for (const requestId of await erasedRequests(ledger.sql)) {
      const stream = privacyRequests.events.streamOf(requestId);
      const cause = await causeAfterLast(ledger.sql, "service:privacy", stream);
      await complete(ledger, horizon, requestId, { now: instantFromMs(clock()), cause });
    }
  };
}

/** The day by which backups are promised to be gone: what is not complete by then fails, and is seen. */
export function agedHandler({ ledger }: WorkerContext, horizon: Horizon): TimerHandler {
  return async (id, why) => {
    if (!(await complete(ledger, horizon, id, why)))
      throw new Error("No record says that the backups of what was erased are gone");
  };
}

async function complete(
  ledger: Ledger,
  horizon: Horizon,
  id: string,
  { now, cause }: CommandContext,
): Promise<boolean> {
  const { state } = await loadState(ledger.sql, privacyRequests, id);
  if (state.status !== "erased" || state.erasedAt === null) return state.status === "completed";
  const { receivedAt, erasedAt } = state;
  const seen = (await horizon?.read()) ?? [];
  const oldestRestorableAt = agedAt(seen, erasedAt, now);
  if (horizon === undefined || oldestRestorableAt === undefined) return false;
  const proof = {
    keyId: horizon.keyId,
    purged: purgedIn(seen, { receivedAt, erasedAt }),
    epochKeys: await epochKeysIn(ledger.sql, { receivedAt, erasedAt }),
  };
  const command: PrivacyCommand = {
    type: "Record",
    fact: { type: "BackupsAged", data: { oldestRestorableAt, proof } },
  };
  const result = await runCommand(ledger, privacyRequests, {
    id,
    command,
    body: command,
    now,
    cause,
  });
  return result.kind === "answer";
}

type Between = { readonly receivedAt: Instant; readonly erasedAt: Instant };

/** What could hold the erased data, and was purged since its erasure was asked for. */
const purgedIn = (seen: readonly BackupHorizon[], { receivedAt, erasedAt }: Between) =>
  seen
    .flatMap(({ purged = [] }) => purged)
    .filter(({ madeAt, destroyedAt }) => madeAt <= erasedAt && destroyedAt >= receivedAt);

/** The epochs of the ledger under which keys of subjects were wrapped meanwhile. */
async function epochKeysIn(sql: Ledger["sql"], { receivedAt, erasedAt }: Between) {
  const rows = await sql<{ epoch: string; destroyed: Date | null }[]>`
    select key_id as epoch, destroyed_at as destroyed, used_from from ledger.ended_epoch
     where used_from <= ${erasedAt} and (destroyed_at is null or destroyed_at >= ${receivedAt})
    union all
    select key_id, null, used_from from ledger.key_epoch where used_from <= ${erasedAt}
     order by used_from`;
  return rows.map(({ epoch, destroyed }) => ({
    epoch,
    destroyedAt: destroyed === null ? null : instantFromMs(destroyed.getTime()),
  }));
}

/** The oldest backup that could be restored when it was first seen that it is younger than the erasure. */
function agedAt(
  seen: readonly BackupHorizon[],
  erasedAt: Instant,
  now: Instant,
): Instant | undefined {
  const first = seen.find(({ oldestRestorableAt }) => oldestRestorableAt > erasedAt);
  if (first === undefined) return undefined;
  const isGone = instantPlus(first.checkedAt, keyStoreBackupDays * dayMs) <= now;
  return isGone ? first.oldestRestorableAt : undefined;
}

/** Deletions whose backups have not aged, the oldest first. */
async function erasedRequests(sql: Queryable): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`
    select request_id as id from ledger.privacy_request where status = 'erased'
     order by received_at`;
  return rows.map(({ id }) => id);
}
