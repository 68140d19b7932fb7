import type { Transaction } from "@pro-talent/platform/postgres/pool";
import { Identifier } from "@pro-talent/platform/postgres/statement";

import { canonicalJson } from "../kernel/canonical-json.ts";
import { type ReadModel, Rows } from "../kernel/read-model.ts";
import type { DomainEvent, RecordedEvent } from "../kernel/types.ts";
import { type VerifiedEvent, readByPosition } from "./by-stream.ts";
import { copyRows, UnreadableRow } from "./copied-rows.ts";
import type { ChainEnd } from "./event-hash.ts";
import type { Findings } from "./findings.ts";
import type { Multiset, Multisets } from "./multiset.ts";

/** A row as JSON; its values by the names of the columns. */
type Row = Readonly<Record<string, unknown>>;

/** Rows that are named of one read model. */
const namedMax = 100;

/**
 * Compares the rows of a read model with those that its events lead to. Streams pass one after another,
 * so that no row is kept: the two collections are compared by their keyed sums. Where these differ the
 * rows are compared one by one, from the events in the order of their positions; that also decides
 * about a model whose rows gather several streams.
 */
export class ReadModelCheck {
  readonly model: ReadModel;
  readonly #upTo: number;
  readonly #from: ChainEnd;
  readonly #expected: Multiset;
  readonly #stored: Multiset;

  /** @param upTo the position that the rows have come to */
  constructor(
    model: ReadModel,
    range: { readonly from: ChainEnd; readonly upTo: number },
    multisets: Multisets,
  ) {
    this.model = model;
    this.#upTo = range.upTo;
    this.#from = range.from;
    this.#expected = multisets.empty();
    this.#stored = multisets.empty();
  }

  /** Takes the events of a stream of the model's category. */
  stream(events: readonly RecordedEvent<DomainEvent>[]): void {
    const rows = new Rows();
    for (const recorded of events) {
      if (recorded.position <= this.#upTo) this.model.apply(rows, recorded, recorded.position);
    }
    for (const row of rowsOf(this.model, rows)) {
      if (positionOf(row) > this.#from.position) this.#expected.add(textOf(this.model, row));
    }
  }

  /** Compares, when all streams have passed. */
  async compare(tx: Transaction, findings: Findings): Promise<void> {
    const after = this.#from.position;
    await copyTable(tx, this.model, after, (row) => this.#stored.add(textOf(this.model, row)));
    if (this.#expected.equals(this.#stored)) return;
    await nameRows(tx, this.model, this.#upTo, findings);
  }
}

/** The rows that events led to, as the table has them. */
function rowsOf(model: ReadModel, rows: Rows): Row[] {
  return rows
    .changes(model.table)
    .flatMap(({ upsert = [] }) => upsert)
    .map((row) => inTableForm(model, row));
}

/** UUIDs are small letters in the database, times have three decimals. */
function inTableForm(model: ReadModel, row: Row): Row {
  const form: Record<string, unknown> = { ...row };
  for (const [name, { sqlType }] of Object.entries({ ...model.key, ...model.columns })) {
    const value = row[name];
    if (typeof value !== "string") continue;
    if (sqlType === "uuid") form[name] = value.toLowerCase();
    else if (sqlType.startsWith("timestamptz")) form[name] = new Date(value).toISOString();
  }
  return form;
}

/** One text for equal rows. */
function textOf({ key, columns }: ReadModel, row: Row): string {
  const names = [...Object.keys(key), ...Object.keys(columns), "pos"];
  const values = names.map((name) => canonicalJson(row[name] ?? null));
  // A table with another column has other rows.
  return `${Object.keys(row).length} ${values.join(" ")}`;
}

const positionOf = (row: Row): number => Number(row["pos"]);

async function copyTable(
  tx: Transaction,
  model: ReadModel,
  after: number,
  onRow: (row: Row) => void,
): Promise<void> {
  const select = `select to_jsonb(t) from only ${new Identifier(`ledger.${model.table}`).text} t
    where t.pos > ${after}`;
  await copyRows(tx, select, 1, (copied) => {
    // The binary form of jsonb is a version number and the text.
    const text = copied.bytes(0).toString("utf8", 1);
    onRow(inTableForm(model, rowFrom(JSON.parse(text))));
  });
}

function rowFrom(value: unknown): Row {
  if (typeof value !== "object" || value === null) throw new UnreadableRow("No row");
  return { ...value };
}

/** Names the rows that differ. That the collections differ is known when the model is of one stream. */
async function nameRows(
  tx: Transaction,
  model: ReadModel,
  upTo: number,
  findings: Findings,
): Promise<void> {
  const rows = new Rows();
  await readByPosition(tx, model.category, (event: VerifiedEvent) => {
    if (event.pos > upTo) return;
    try {
      model.applyStored(rows, event);
    } catch {
      // An event that cannot be read is a finding of its own.
    }
  });
  const expected = new Map(rowsOf(model, rows).map((row) => [keyOf(model, row), row]));
  let named = 0;
  const name = (why: string, row: Row): void => {
    named += 1;
    if (named > namedMax) return;
    findings.add("row", positionOf(row), `${model.table} ${keyOf(model, row)} ${why}`);
  };
  await copyTable(tx, model, 0, (row) => {
    const key = keyOf(model, row);
    const follows = expected.get(key);
    expected.delete(key);
    if (follows === undefined) name("follows from no event", row);
    else if (textOf(model, follows) !== textOf(model, row)) name("differs", row);
  });
  for (const row of expected.values()) name("is missing", row);
}

function keyOf(model: ReadModel, row: Row): string {
  return canonicalJson(Object.keys(model.key).map((name) => row[name] ?? null));
}
