import type { LogLine } from "@pro-talent/platform/files/signed-log";
import type { Sql, Transaction } from "@pro-talent/platform/postgres/pool";
import { type Clock, systemClock } from "@pro-talent/platform/runtime/clock";
import type { JournalledErasure } from "@pro-talent/schemas/privacy/erasure-journal";

import { checkChain, checkHead, checkSignedHeads } from "./chain.ts";
import { checkCommands } from "./commands.ts";
import { declaredHere } from "./declared.ts";
import type { Definitions } from "./definitions.ts";
import { checkDerived } from "./derived.ts";
import { type ChainEnd, genesis } from "./event-hash.ts";
import { type Finding, Findings } from "./findings.ts";
import { checkJournal } from "./journal.ts";
import { checkProtections } from "./protections.ts";
import { checkStreams, versionsAt } from "./stream-versions.ts";

/** What a verification found. */
export type Verification = {
  readonly findings: readonly Finding[];
  /** Also those that the list leaves out: it holds 1,000 of a kind. */
  readonly findingCount: number;
  /** Events that were checked. */
  readonly events: number;
  readonly end: ChainEnd;
};

export type VerifyOptions = {
  /** Events up to here were verified before; the beginning otherwise. */
  readonly from?: ChainEnd;
  /** Signed heads, which this ledger must continue. */
  readonly heads?: readonly ChainEnd[];
  /** The erasure journal, which has every entry that the ledger records. */
  readonly journal?: readonly LogLine<JournalledErasure>[];
  /** Checks also what follows from the events, and what protects them, by these definitions. */
  readonly definitions?: Definitions;
  readonly clock?: Clock;
};

/**
 * Verifies the ledger within a transaction that sees one state of the database. Nothing is used that
 * the database defines: rows are read from the tables, hashed and folded here.
 */
export async function verifyWithin(
  tx: Transaction,
  { from = genesis, heads = [], journal, definitions, clock = systemClock }: VerifyOptions = {},
): Promise<Verification> {
  // Names resolve to the server's own operators; rows that a policy hides are an error.
  await tx.unsafe("set local search_path = pg_catalog; set local row_security = off");
  const findings = new Findings();
  const versions = await versionsAt(tx, from, findings);
  const { events, end, commands } = await checkChain(tx, from, findings, versions);
  await checkHead(tx, end, findings);
  await checkSignedHeads(tx, [...heads, from], end, findings);
  await checkCommands(tx, from, findings, commands);
  await checkStreams(tx, from, findings, versions);
  if (journal !== undefined) await checkJournal(tx, journal, findings);
  if (definitions !== undefined) {
    const declared = await declaredHere(definitions.readModels);
    await checkProtections(tx, declared, definitions, findings);
    await checkDerived(tx, { from, end, nowMs: clock() }, findings, definitions);
  }
  return { findings: findings.list, findingCount: findings.count, events, end };
}

/** Verifies the ledger as it is at this moment; appends go on meanwhile. */
export async function verifyLedger(sql: Sql, options: VerifyOptions = {}): Promise<Verification> {
  const mode = "isolation level repeatable read read only";
  return await sql.begin(mode, (tx) => verifyWithin(tx, options));
}
