import { randomUUID } from "node:crypto";

import type { SignedLog } from "@pro-talent/platform/files/signed-log";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { JournalledErasure } from "@pro-talent/schemas/privacy/erasure-journal";

import { type CommandContext, runCommand } from "../../../kernel/commands.ts";
import { loadState } from "../../../kernel/streams.ts";
import type { PrivacyCommand } from "../decider.ts";
import { privacyEvents, privacyRequests } from "../requests.ts";
import { recordWork } from "../work.ts";
import { type ErasureParts, prepareTraces, stepsOf } from "./erase-person.ts";

/** Streams of one question. */
const streamsMax = 1_000;

/**
 * Compares the erasure journal with the ledger: an entry without a record of it says that a backup was
 * restored that is older. The deletion was claimed, so that its stores are erased again by the same steps,
 * whatever the backup holds of the request.
 */
export function reapplyJournal({
  context,
  journal,
  scopeOf,
}: Pick<ErasureParts, "context" | "journal" | "scopeOf">) {
  return async (): Promise<void> => {
    for (const { entry, requestId, accountId } of await unrecorded(context.ledger.sql, journal)) {
      const id = randomUUID();
      const cause = { actor: "service:privacy", causationId: id, correlationId: id };
      const why: CommandContext = { now: instantFromMs(context.clock()), cause };
      const { state } = await loadState(context.ledger.sql, privacyRequests, requestId);
      // Its own work records the entry, or writes it again.
      if (state.status === "claimed" || state.status === "completed") continue;
      if (state.status === "none") await receive(context, { requestId, accountId }, why);
      const scope = scopeOf(requestId, accountId);
      await prepareTraces(context, requestId, scope, why);
      const steps = stepsOf(scope);
      const data = { entry, steps, ...(accountId !== null && { accountId }) };
      await recordWork(context, requestId, { type: "JournalReapplied", data }, why);
    }
  };
}

type Entry = {
  readonly entry: number;
  readonly requestId: string;
  /** Null for a mailbox without an account. */
  readonly accountId: string | null;
};

async function unrecorded(
  sql: Sql,
  journal: SignedLog<JournalledErasure> | undefined,
): Promise<Entry[]> {
  const entries = ((await journal?.lines()) ?? []).flatMap(({ number: entry, record }): Entry[] => {
    const { requestId, accountId, visitorIds } = record;
    // Visits are erased by the collector, without a request.
    return visitorIds.length > 0 ? [] : [{ entry, requestId, accountId }];
  });
  const missing: Entry[] = [];
  for (let from = 0; from < entries.length; from += streamsMax) {
    const some = entries.slice(from, from + streamsMax);
    const streams = some.map(({ requestId }) => privacyEvents.streamOf(requestId));
    const rows = await sql<{ stream: string }[]>`
      select distinct stream from ledger.event
       where stream = any (${streams}) and type in ('JournalWritten', 'JournalReapplied')`;
    const known = new Set(rows.map(({ stream }) => stream));
    missing.push(...some.filter(({ requestId }) => !known.has(privacyEvents.streamOf(requestId))));
  }
  return missing;
}

/** A request that was received after the backup: the entry of the journal is what is left of it. */
async function receive(
  { ledger }: ErasureParts["context"],
  { requestId, accountId }: Pick<Entry, "requestId" | "accountId">,
  why: CommandContext,
): Promise<void> {
  const command: PrivacyCommand = {
    type: "ReceiveRequest",
    requestType: "delete",
    accountId,
    identity: accountId === null ? "mailed-code" : "step-up",
  };
  const body = command;
  const result = await runCommand(ledger, privacyRequests, {
    ...why,
    id: requestId,
    command,
    body,
  });
  if (result.kind === "refusal") throw new Error(`A request is not received: ${result.code}`);
}
