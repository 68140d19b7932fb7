import type { Transaction } from "@pro-talent/platform/postgres/pool";

import { categoryOf, type EventFamily, readStored } from "../kernel/events.ts";
import type { ReadModel } from "../kernel/read-model.ts";
import type { DomainEvent, RecordedEvent } from "../kernel/types.ts";
import { readByStream, type VerifiedEvent } from "./by-stream.ts";
import { copyRows } from "./copied-rows.ts";
import type { Definitions } from "./definitions.ts";
import { DutyCheck } from "./duties.ts";
import type { ChainEnd } from "./event-hash.ts";
import type { Findings } from "./findings.ts";
import { Multisets } from "./multiset.ts";
import { ReadModelCheck } from "./read-models.ts";

type Range = { readonly from: ChainEnd; readonly end: ChainEnd; readonly nowMs: number };

/**
 * Computes from the events, by the definitions in TypeScript, what must be in the tables that follow
 * from them, and compares.
 */
export async function checkDerived(
  tx: Transaction,
  { from, end, nowMs }: Range,
  findings: Findings,
  { families, streams, readModels }: Definitions,
): Promise<void> {
  const multisets = new Multisets();
  const positions = await readPositions(tx, end, findings);
  const checks: ReadModelCheck[] = [];
  for (const model of await builtModels(tx, readModels, findings)) {
    const upTo = model.mode === "inline" ? end.position : positions.get(model.table);
    if (upTo === undefined) findings.add("checkpoint", null, `${model.table} has none`);
    else checks.push(new ReadModelCheck(model, { from, upTo }, multisets));
  }
  const ofCategory = new Map(
    families.map((family) => [
      family.category,
      { family, checks: checks.filter(({ model }) => model.category === family.category) },
    ]),
  );
  const duties = new DutyCheck(tx, { from, nowMs }, findings, streams);
  await duties.begin();
  let events: VerifiedEvent[] = [];
  await readByStream(tx, from, {
    event: (event) => void events.push(event),
    end: (stream) => {
      const category = categoryOf(stream);
      const known = ofCategory.get(category);
      const recorded = events.flatMap((event) =>
        known === undefined ? [] : readable(known.family, event, findings),
      );
      if (known === undefined) findings.add("unknown", events[0]?.pos ?? null, stream);
      if (recorded.length === events.length) {
        for (const check of known?.checks ?? []) check.stream(recorded);
        duties.stream(category, events);
      }
      events = [];
    },
  });
  await duties.end();
  for (const check of checks) await check.compare(tx, findings);
}

/** The event as the domain reads it; nothing but a finding when it cannot. */
function readable(
  family: EventFamily,
  event: VerifiedEvent,
  findings: Findings,
): RecordedEvent<DomainEvent>[] {
  try {
    return [readStored(family, event)];
  } catch {
    findings.add("unknown", event.pos, `${event.type} ${event.schema_version}`);
    return [];
  }
}

/** Read models whose tables are of the definitions of this program; the others are findings. */
async function builtModels(
  tx: Transaction,
  readModels: readonly ReadModel[],
  findings: Findings,
): Promise<readonly ReadModel[]> {
  const hashes = new Map<string, string>();
  await copyRows(tx, "select name, definition_hash, mode from only ledger.read_model", 3, (row) =>
    hashes.set(row.text(0), `${row.text(1)} ${row.text(2)}`),
  );
  return readModels.filter((model) => {
    const same = hashes.get(model.table) === `${model.definitionHash} ${model.mode}`;
    if (!same) findings.add("row", null, `${model.table} was built from another definition`);
    return same;
  });
}

/** The checkpoints of followers; each names an event, with its epoch. */
async function readPositions(
  tx: Transaction,
  end: ChainEnd,
  findings: Findings,
): Promise<ReadonlyMap<string, number>> {
  const positions = new Map<string, number>();
  const select = `select c.follower, c.pos, c.epoch, e.epoch from only ledger.checkpoint c
    left join only ledger.event e on e.pos = c.pos`;
  await copyRows(tx, select, 4, (row) => {
    const [follower, position] = [row.text(0), row.number(1)];
    const atBeginning = position === 0;
    const fits = atBeginning || (!row.isNull(3) && row.number(2) === row.number(3));
    if (!fits || position > end.position) findings.add("checkpoint", position, follower);
    positions.set(follower, position);
  });
  return positions;
}
