import type { EventFamily } from "./event-registry.ts";
import { categoryOf, readStored, type StoredEvent } from "./stored-event.ts";
import type { DomainEvent, StreamEvent } from "./types.ts";

export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** What an event does to a read model: a whole row is put under its key, or taken away. */
export type RowChange =
  | { readonly table: string; readonly put: Row }
  | { readonly table: string; readonly gone: Row };

/**
 * A read model: which tables of schema `ledger` it owns (created and registered by a migration,
 * with a column `pos` that the store fills with the position of the event that wrote the row) and
 * how an event changes them. `inline` models are written in the transaction of the append, because
 * decisions depend on them; `async` ones follow by position. Both are written by the same SQL
 * function, from the same `evolve`; a rebuild uses them too.
 */
export type Projection<Event extends DomainEvent> = {
  readonly name: string;
  readonly mode: "inline" | "async";
  readonly family: EventFamily<Event>;
  /** Table names with the columns of their primary keys. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
  readonly evolve: (recorded: StreamEvent<Event>) => readonly RowChange[];
};

/** A projection that reads stored events itself, so that those of all domains fit in one list. */
export type StoredProjection = {
  readonly name: string;
  readonly mode: "inline" | "async";
  readonly category: string;
  readonly tables: Projection<DomainEvent>["tables"];
  /** @throws UnknownEvent or ZodError; events of other categories change nothing */
  readonly changes: (stored: StoredEvent) => readonly RowChange[];
};

export function readingStored<Event extends DomainEvent>(
  projection: Projection<Event>,
): StoredProjection {
  const { name, mode, tables, family } = projection;
  return {
    name,
    mode,
    tables,
    category: family.category,
    changes: (stored) =>
      categoryOf(stored.stream) === family.category
        ? projection.evolve(readStored(family, stored))
        : [],
  };
}

/** The argument of ledger.write_rows: per table the rows to put and the keys to take away. */
export type TableChanges = { table: string; put?: Row[]; gone?: Row[] };

/** Changes in their order, each with the position of its event, and the keys of their tables. */
export type PlacedChange = { position: number; change: RowChange };

/**
 * Folds changes into one put and one removal per table. Rows are put whole, so of several changes
 * to one key only the last counts, and one SQL statement per table is enough.
 * @throws when a change names a table that is not among `tables`, or lacks a part of the key
 */
export function foldChanges(
  placed: readonly PlacedChange[],
  tables: Projection<DomainEvent>["tables"],
): TableChanges[] {
  const last = new Map<string, Map<string, PlacedChange>>();
  for (const entry of placed) {
    const byKey = last.get(entry.change.table) ?? new Map<string, PlacedChange>();
    byKey.set(keyText(entry.change, tables[entry.change.table]), entry);
    last.set(entry.change.table, byKey);
  }
  return [...last].map(([table, byKey]) => {
    const put: Row[] = [];
    const gone: Row[] = [];
    for (const { position, change } of byKey.values()) {
      if ("put" in change) put.push({ ...change.put, pos: position });
      else gone.push(change.gone);
    }
    return {
      table,
      ...(put.length === 0 ? {} : { put }),
      ...(gone.length === 0 ? {} : { gone }),
    };
  });
}

function keyText(change: RowChange, key: readonly string[] | undefined): string {
  if (key === undefined) throw new Error(`Table ${change.table} is not the projection's`);
  const row = "put" in change ? change.put : change.gone;
  return JSON.stringify(
    key.map((column) => {
      const value = row[column];
      if (value === undefined) throw new Error(`A change of ${change.table} lacks ${column}`);
      return value;
    }),
  );
}
