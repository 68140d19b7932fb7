import { key256 } from "@pro-talent/platform/config/define-env";
import { signingKey } from "@pro-talent/platform/crypto/signed-text";
import { type LogLine, openSignedLog, type SignedLog } from "@pro-talent/platform/files/signed-log";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import {
  erasureJournalPurpose,
  JournalledErasure,
} from "@pro-talent/schemas/privacy/erasure-journal";
import { z } from "zod";

import { inTurn } from "../../../kernel/in-turn.ts";

export const journalEnv = {
  /** Outside every database and backup; a restore erases again what it names. */
  ERASURE_JOURNAL_FILE: z.string().min(1).optional(),
  ERASURE_JOURNAL_KEY: key256.optional(),
};

export type JournalEnv = {
  readonly ERASURE_JOURNAL_FILE?: string | undefined;
  readonly ERASURE_JOURNAL_KEY?: Buffer | undefined;
};

/** The journal of the environment; undefined where erasures are not worked on. */
export function openJournal(env: JournalEnv): SignedLog<JournalledErasure> | undefined {
  const { ERASURE_JOURNAL_FILE: file, ERASURE_JOURNAL_KEY: key } = env;
  if (file === undefined || key === undefined) return undefined;
  return openSignedLog(file, {
    key: signingKey(key),
    purpose: erasureJournalPurpose,
    contract: JournalledErasure,
  });
}

/** What the entry of an erasure names; nothing before it is written. */
export async function journalledSubjects(
  journal: SignedLog<JournalledErasure> | undefined,
  requestId: string,
): Promise<readonly string[]> {
  const entries = (await journal?.read()) ?? [];
  return entries.find((entry) => entry.requestId === requestId)?.subjectIds ?? [];
}

/**
 * Writes the entry of an erasure, once; on disk when it resolves.
 * @returns its line
 * @throws SignatureBroken when the file is damaged
 */
export async function writeEntry(
  journal: SignedLog<JournalledErasure>,
  sql: Sql,
  entry: JournalledErasure,
): Promise<LogLine<JournalledErasure>> {
  return await inTurn(sql, "erasure journal", async () => {
    const lines = await journal.lines();
    const known = lines.find(({ record }) => record.requestId === entry.requestId);
    return known ?? (await journal.append(entry));
  });
}
