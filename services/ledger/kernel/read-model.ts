import { createHash } from "node:crypto";

import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import { canonicalJson, type Json } from "./canonical-json.ts";
import { type EventFamily, readStored, type StoredEvent } from "./events.ts";
import type { DomainEvent, StreamEvent } from "./types.ts";

/**
 * What a stored field is, for privacy.
 * identifier: names a person or a device by itself (address, anonymous id) · pseudonym: names one
 * only with a key or other data · coarse: a fact about a person that many share · content: written by
 * a person or by us · operational: a fact about the system · secret: must not be known outside.
 */
export type FieldClass =
  | "identifier"
  | "pseudonym"
  | "coarse"
  | "content"
  | "operational"
  | "secret";

type JsonRow = Readonly<Record<string, Json>>;

/** A column of a read model: its SQL type, its form in TypeScript, and its data classification. */
export type Column<Value> = {
  readonly sqlType: string;
  readonly nullable: boolean;
  readonly fieldClass: FieldClass;
  readonly purpose: string;
  /** Reads the column's value out of `to_jsonb(row)`. */
  readonly contract: z.ZodType<Value>;
};

function kind<Value>(sqlType: string, contract: z.ZodType<Value>) {
  return (fieldClass: FieldClass, purpose: string): Column<Value> => ({
    sqlType,
    nullable: false,
    fieldClass,
    purpose,
    contract,
  });
}

const InstantColumn: z.ZodType<Instant> = z
  .string()
  .transform((text) => instantFromMs(Date.parse(text)));

/** The kinds of columns; each takes the class of the field and its purpose. */
export const column = {
  uuid: kind("uuid", z.string()),
  text: kind("text", z.string()),
  boolean: kind("boolean", z.boolean()),
  integer: kind("int", z.int()),
  instant: kind("timestamptz(3)", InstantColumn),
  texts: kind<readonly string[]>("text[]", z.array(z.string())),
  /** One of some words. */
  oneOf: <Value extends string>(contract: z.ZodType<Value>) => kind("text", contract),
  /** A nested value of this form. */
  json: <Value extends Json>(contract: z.ZodType<Value>) => kind("jsonb", contract),
};

/** A column that may be null. */
export function optional<Value>(of: Column<Value>): Column<Value | null> {
  return { ...of, nullable: true, contract: of.contract.nullable() };
}

type Columns = Readonly<Record<string, Column<unknown>>>;
/** The values of columns. */
export type RowOf<Of extends Columns> = {
  readonly [Name in keyof Of]: Of[Name] extends Column<infer Value> ? Value : never;
};

export type ReadModelDefinition<
  Event extends DomainEvent,
  Key extends Columns,
  Rest extends Columns,
> = {
  /** Table of schema `ledger`, and the read model's name. */
  readonly table: string;
  /** Raised when `evolve` or `keyOf` change: the table is then built anew from the events. */
  readonly version: number;
  /**
   * `inline`: written in the transaction of the append, because decisions depend on it; its rows
   * belong to one stream each. `following`: written by position, a moment later.
   */
  readonly mode: "inline" | "following";
  readonly purpose: string;
  readonly retention: string;
  readonly events: EventFamily<Event>;
  /** Primary key. The first column of an inline model's key holds the stream's id. */
  readonly key: Key;
  readonly columns: Rest;
  /** The row that an event is about, all rows of its stream, or none. One row per stream if absent. */
  readonly keyOf?: (recorded: StreamEvent<Event>) => RowOf<Key> | "every row of the stream" | null;
  /** The row after an event; null when there is none (any longer). Pure. */
  readonly evolve: (row: RowOf<Rest> | null, recorded: StreamEvent<Event>) => RowOf<Rest> | null;
  readonly indexes?: readonly { readonly on: string; readonly unique?: true }[];
  /** Views on the table: `select` is the text of the query; readers are roles beside `ledger_app`. */
  readonly views?: readonly {
    readonly name: string;
    readonly select: string;
    readonly readers: readonly string[];
  }[];
};

/** A row that changed: its key, its columns or null, and the event that changed it last. */
type ChangedRow = { key: JsonRow; columns: JsonRow | null; position: number };

/** The argument of ledger.write_rows: per table the rows to upsert and the keys to delete. */
export type TableChanges = {
  readonly table: string;
  readonly upsert?: readonly JsonRow[];
  readonly delete?: readonly JsonRow[];
};

/** The changes to one table; none when there are no rows. */
export function changesTo(
  table: string,
  upsert: readonly JsonRow[],
  removed: readonly JsonRow[] = [],
): TableChanges[] {
  const rows = {
    ...(upsert.length > 0 && { upsert }),
    ...(removed.length > 0 && { delete: removed }),
  };
  return Object.keys(rows).length === 0 ? [] : [{ table, ...rows }];
}

/** A read model whose event type stays inside, so that those of all domains fit in one list. */
export type ReadModel = Pick<
  ReadModelDefinition<DomainEvent, Columns, Columns>,
  "table" | "mode" | "purpose" | "retention" | "key" | "columns" | "indexes" | "views"
> & {
  readonly category: string;
  /** Changes when the table must be built anew. */
  readonly definitionHash: string;
  /** The key that an event concerns; null for events of other categories. @throws UnknownEvent */
  readonly keyOfStored: (stored: StoredEvent) => JsonRow | "every row of the stream" | null;
  /** Applies a stored event. @throws UnknownEvent or ZodError; events of other categories change nothing */
  readonly applyStored: (rows: Rows, stored: StoredEvent) => void;
  /** Applies an event of the model's own family. */
  readonly apply: (rows: Rows, recorded: StreamEvent<DomainEvent>, position: number) => void;
  /** A row as `to_jsonb` gives it, split into key and columns. @throws ZodError */
  readonly parseRow: (row: unknown) => { key: JsonRow; columns: JsonRow };
};

/** Rows of one read model while events are applied to them. */
export class Rows {
  readonly #rows = new Map<string, { key: JsonRow; columns: JsonRow | null }>();
  readonly #changed = new Map<string, ChangedRow>();

  /** A row as it is stored. */
  load(key: JsonRow, columns: JsonRow): void {
    this.#rows.set(canonicalJson(key), { key, columns });
  }

  columnsOf(key: JsonRow): JsonRow | null {
    return this.#rows.get(canonicalJson(key))?.columns ?? null;
  }

  set(key: JsonRow, columns: JsonRow | null, position: number): void {
    const text = canonicalJson(key);
    this.#rows.set(text, { key, columns });
    this.#changed.set(text, { key, columns, position });
  }

  /** Keys of existing rows with this value in a column. */
  keysWith(name: string, value: string): readonly JsonRow[] {
    return [...this.#rows.values()].flatMap(({ key, columns }) =>
      columns !== null && key[name] === value ? [key] : [],
    );
  }

  /** What changed, as the database takes it; of several changes to a row the last one. */
  changes(table: string): TableChanges[] {
    const changed = [...this.#changed.values()];
    const upsert = changed.flatMap(({ key, columns, position }) =>
      columns === null ? [] : [{ ...key, ...columns, pos: position }],
    );
    const removed = changed.flatMap(({ key, columns }) => (columns === null ? [key] : []));
    return changesTo(table, upsert, removed);
  }
}

/** Defines a read model. @throws when a model with a compound key does not say which row is meant */
export function readModel<Event extends DomainEvent, Key extends Columns, Rest extends Columns>(
  definition: ReadModelDefinition<Event, Key, Rest>,
): ReadModel {
  const { table, mode, events, key, columns, evolve } = definition;
  const keyNames = Object.keys(key);
  const [first = ""] = keyNames;
  if (definition.keyOf === undefined && keyNames.length !== 1) {
    throw new Error(`Read model ${table} has a compound key and needs keyOf`);
  }
  const contract = z.object(contractsOf({ ...key, ...columns }));
  const keyFor = (recorded: StreamEvent<Event>): object | "every row of the stream" | null =>
    definition.keyOf === undefined ? { [first]: recorded.id } : definition.keyOf(recorded);

  function apply(rows: Rows, recorded: StreamEvent<Event>, position: number): void {
    const found = keyFor(recorded);
    if (found === null) return;
    const keys = typeof found === "string" ? rows.keysWith(first, recorded.id) : [jsonRow(found)];
    for (const rowKey of keys) {
      if (mode === "inline" && rowKey[first] !== recorded.id) {
        throw new Error(`A row of the inline read model ${table} belongs to another stream`);
      }
      const before = rows.columnsOf(rowKey);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rows come from this model's evolve, or were parsed by its columns' contracts
      const after = evolve(before as RowOf<Rest> | null, recorded);
      const columns = after === null ? null : jsonRow(after);
      // A row keeps the position of the event that changed it last.
      if (canonicalJson(columns) !== canonicalJson(before)) rows.set(rowKey, columns, position);
    }
  }

  const ofCategory = (stored: StoredEvent): boolean =>
    stored.stream.startsWith(`${events.category}-`);
  return {
    ...definition,
    category: events.category,
    definitionHash: hashOf(definition),
    keyOfStored: (stored) => {
      if (!ofCategory(stored)) return null;
      const found = keyFor(readStored(events, stored));
      return typeof found === "string" || found === null ? found : jsonRow(found);
    },
    applyStored: (rows, stored) => {
      if (ofCategory(stored)) apply(rows, readStored(events, stored), stored.pos);
    },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- callers choose the model by the category of the event's own family
    apply: (rows, recorded, position) => apply(rows, recorded as StreamEvent<Event>, position),
    parseRow: (row) => {
      const all = jsonRow(contract.parse(row));
      const inKey = ([name]: [string, Json]): boolean => keyNames.includes(name);
      const entries = Object.entries(all);
      return {
        key: Object.fromEntries(entries.filter(inKey)),
        columns: Object.fromEntries(entries.filter((entry) => !inKey(entry))),
      };
    },
  };
}

function contractsOf(columns: Columns): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, { contract }]) => [name, contract]),
  );
}

/** Column values are JSON by the kinds of columns that there are. */
function jsonRow(row: object): JsonRow {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every kind of column holds a JSON value
  return row as JsonRow;
}

/** Whatever makes another table, or other rows in it. */
function hashOf<Event extends DomainEvent, Key extends Columns, Rest extends Columns>(
  definition: ReadModelDefinition<Event, Key, Rest>,
): string {
  const { version, mode, purpose, retention, indexes = [], views = [] } = definition;
  const shape = (of: Columns): Json =>
    Object.entries(of).map(([name, { sqlType, nullable, fieldClass, purpose: why }]) => [
      name,
      sqlType,
      nullable,
      fieldClass,
      why,
    ]);
  const key = shape(definition.key);
  const columns = shape(definition.columns);
  const kept = { version, mode, purpose, retention, key, columns, indexes, views };
  const text = canonicalJson(kept);
  return createHash("sha256").update(text).digest("hex");
}

/** Rows as `to_jsonb` gives them, by table. */
export type HeldRows = Readonly<Record<string, readonly unknown[]>>;

/**
 * The rows of inline models that new events of a stream lead to. The models' rows belong to one
 * stream each, so they follow from those that it has; the expected version of the append guards them.
 */
export function inlineChanges(
  models: readonly ReadModel[],
  held: HeldRows,
  events: readonly StreamEvent<DomainEvent>[],
): TableChanges[] {
  return models.flatMap((model) => {
    const rows = new Rows();
    for (const row of held[model.table] ?? []) {
      const { key, columns } = model.parseRow(row);
      rows.load(key, columns);
    }
    for (const [index, recorded] of events.entries()) model.apply(rows, recorded, index);
    return rows.changes(model.table);
  });
}
