import { signedLine, type SigningKey } from "@pro-talent/platform/crypto/signed-text";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import { keyStoreBackupDays } from "@pro-talent/schemas/privacy/erasure-journal";
import {
  certificatePurpose,
  type Evidence,
  type ErasureCertificate,
} from "@pro-talent/schemas/privacy/evidence";
import { privacyLimits } from "@pro-talent/schemas/privacy/limits";

import { keptStep } from "../../../kernel/erasers.ts";
import { provenEvents } from "./chained-events.ts";
import { evidenceOf } from "./evidence.ts";

const dayMs = 24 * 60 * 60_000;

type Parts = {
  readonly sql: Queryable;
  readonly signingKey: SigningKey;
  readonly kept: ErasureCertificate["kept"];
};
type Certified = { readonly certificate: ErasureCertificate; readonly document: string };

/**
 * The certificate of a deletion, from the moment that a scan found nothing in the live stores. It follows
 * from the events alone, so that it can be asked for at any time.
 * @returns undefined while there is nothing to certify
 */
export async function erasureCertificate(
  { sql, signingKey, kept }: Parts,
  requestId: string,
  at: Instant,
): Promise<Certified | undefined> {
  const events = await provenEvents(sql, requestId);
  const evidence = evidenceOf(requestId, events, { at, register: null });
  const [received, last] = [events[0], events.at(-1)];
  const erasedAt = evidence && erasedIn(evidence);
  if (evidence === undefined || erasedAt === undefined || !received || !last) return undefined;
  const { backups } = evidence;
  const certificate: ErasureCertificate = {
    requestId,
    receivedAt: received.at,
    erasedAt,
    stores: evidence.stores.flatMap(({ store, found, left }) =>
      found === null || left === null ? [] : [{ store, found, left }],
    ),
    kept: isKept(events) ? kept : [],
    backups: {
      goneBy: instantPlus(received.at, privacyLimits.backupDays * dayMs),
      goneAt: backups?.recordedAt ?? null,
      oldestRestorableAt: backups?.oldestRestorableAt ?? null,
      overdue: evidence.backupsOverdue,
      proof: backups?.proof ?? null,
      keyStoreDays: keyStoreBackupDays,
    },
    position: last.position,
    hash: last.chained.hash,
    keyId: signingKey.id,
  };
  return { certificate, document: signedLine(signingKey, certificatePurpose, certificate) };
}

/** Whether a step found what a law keeps; erasures of before such steps were recorded may have. */
function isKept(events: Awaited<ReturnType<typeof provenEvents>>): boolean {
  const steps = events.flatMap(({ event }) => (event.type === "StepDone" ? [event.data] : []));
  return (
    steps.some(({ kept }) => kept !== undefined) || !steps.some(({ step }) => step === keptStep)
  );
}

/** When the newest scan found nothing; undefined if it found something, or there was none. */
function erasedIn({ type, scans }: Evidence): Instant | undefined {
  const last = scans.at(-1);
  return type !== "delete" || last === undefined || last.found ? undefined : last.at;
}
