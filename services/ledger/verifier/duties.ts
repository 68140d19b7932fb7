import type { Transaction } from "@pro-talent/platform/postgres/pool";
import { keptSinceMs, retentionPeriods } from "@pro-talent/schemas/primitives/retention-periods";

import { canonicalJson } from "../kernel/canonical-json.ts";
import { idOf } from "../kernel/events.ts";
import { attemptsMax } from "../kernel/outbox.ts";
import type { StreamKind } from "../kernel/stream-kinds.ts";
import type { VerifiedEvent } from "./by-stream.ts";
import { copyRows } from "./copied-rows.ts";
import type { ChainEnd } from "./event-hash.ts";
import type { Findings } from "./findings.ts";
import { touchedSince } from "./stream-versions.ts";

/** After which an erasure that is a fact must have destroyed the key. */
const erasureMsMax = 24 * 60 * 60 * 1000;
/** The clock of this machine and the database's may differ. */
const clockMsMax = 5 * 60 * 1000;

type Snapshot = { readonly version: number; readonly definition: string; readonly text: string };

/**
 * Checks what must be done because of the events: timers, messages of the outbox, erasures; and the
 * snapshots of long streams. All of it is computed from the streams by the domains' definitions.
 */
export class DutyCheck {
  readonly #tx: Transaction;
  readonly #from: ChainEnd;
  readonly #findings: Findings;
  readonly #kinds: ReadonlyMap<string, StreamKind>;
  readonly #nowMs: number;
  /** When each timer is due, by `<stream> <name>`. */
  readonly #timers = new Map<string, number>();
  /** Messages, by `<position> <name> <payload>`. */
  readonly #messages = new Map<
    string,
    { readonly position: number; readonly recordedMs: number }
  >();
  /** Positions of the events of streams with messages that follow from no append. */
  readonly #other = new Map<string, string>();
  #snapshots = new Map<string, Snapshot>();

  constructor(
    tx: Transaction,
    { from, nowMs }: { readonly from: ChainEnd; readonly nowMs: number },
    findings: Findings,
    kinds: readonly StreamKind[],
  ) {
    this.#tx = tx;
    this.#from = from;
    this.#nowMs = nowMs;
    this.#findings = findings;
    this.#kinds = new Map(kinds.map((kind) => [kind.category, kind]));
  }

  /** Reads the snapshots, which are few, before the streams pass. */
  async begin(): Promise<void> {
    const select = `select e.stream, e.version, e.definition, e.state, p.stream
      from only ledger.snapshot e left join only ledger.event p on p.pos = e.pos
      where ${touchedSince(this.#from)}`;
    await copyRows(this.#tx, select, 5, (row) => {
      const stream = row.text(0);
      // The binary form of jsonb is a version number and the text.
      const text = canonicalJson(JSON.parse(row.bytes(3).toString("utf8", 1)));
      if (row.text(4) !== stream) this.#findings.add("snapshot", null, stream);
      this.#snapshots.set(stream, { version: row.number(1), definition: row.text(2), text });
    });
  }

  /** Takes one stream with all its events. @throws UnknownEvent or ZodError */
  stream(category: string, events: readonly VerifiedEvent[]): void {
    const [first, last] = [events[0], events.at(-1)];
    if (first === undefined || last === undefined) return;
    const kind = this.#kinds.get(category);
    this.#checkErasures(kind?.erasureTypes ?? [], events);
    if (last.pos <= this.#from.position) return;
    if (kind !== undefined) this.#expect(kind, first.stream, events);
    this.#checkSnapshot(kind, first.stream, events);
  }

  /** Compares the tables, when all streams have passed. */
  async end(): Promise<void> {
    await this.#compareTimers();
    await this.#compareMessages();
    for (const stream of this.#snapshots.keys()) this.#findings.add("snapshot", null, stream);
  }

  #expect(kind: StreamKind, stream: string, events: readonly VerifiedEvent[]): void {
    for (const { name, dueAt } of kind.timersOf(events)) {
      this.#timers.set(`${stream} ${name}`, Date.parse(dueAt));
    }
    for (const { position, messages } of kind.messagesOf(events)) {
      if (position <= this.#from.position) continue;
      const recordedMs = events.find(({ pos }) => pos === position)?.recorded_ms ?? 0;
      for (const { name, payload } of messages) {
        this.#messages.set(messageText(position, name, payload), { position, recordedMs });
      }
    }
    for (const { pos } of events) {
      for (const name of kind.otherMessages) this.#other.set(`${pos} ${name}`, idOf(stream));
    }
  }

  /** What was erased has its fact, and what has its fact is erased. */
  #checkErasures(types: readonly string[], events: readonly VerifiedEvent[]): void {
    const fact = events.findLast(({ type }) => types.includes(type));
    const overdue = fact !== undefined && fact.recorded_ms + erasureMsMax < this.#nowMs;
    for (const { pos, stream, erased, sealed, keyed } of events) {
      const recorded = fact !== undefined && fact.pos > pos;
      const what = sealed ? "the key is gone" : "the sealed part was dropped";
      if (erased && !recorded) this.#findings.add("erased", pos, `${stream}: ${what}`);
      if (recorded && overdue && (sealed || keyed)) this.#findings.add("kept", pos, stream);
    }
  }

  #checkSnapshot(
    kind: StreamKind | undefined,
    stream: string,
    events: readonly VerifiedEvent[],
  ): void {
    const snapshot = this.#snapshots.get(stream);
    if (snapshot === undefined) return;
    this.#snapshots.delete(stream);
    const { version, definition, text } = snapshot;
    const expected = kind?.snapshotOf(events.slice(0, version));
    // One of an earlier definition is not used.
    if (expected !== undefined && expected.definition !== definition) return;
    const follows = expected !== undefined && version <= events.length;
    if (!follows || canonicalJson(expected.state) !== text) {
      this.#findings.add("snapshot", events[version - 1]?.pos ?? null, stream);
    }
  }

  async #compareTimers(): Promise<void> {
    const erasing = new Set(
      [...this.#kinds.values()].flatMap(({ erasureTimers }) => erasureTimers),
    );
    const select = `select e.stream, e.name, e.due_at, e.fired_at, e.pos, p.stream
      from only ledger.due_timer e left join only ledger.event p on p.pos = e.pos
      where ${touchedSince(this.#from)}`;
    await copyRows(this.#tx, select, 6, (row) => {
      const key = `${row.text(0)} ${row.text(1)}`;
      const due = this.#timers.get(key);
      this.#timers.delete(key);
      const fault = (why: string): void =>
        this.#findings.add("timer", row.number(4), `${key} ${why}`);
      const fired = row.isNull(3) ? undefined : row.milliseconds(3);
      if (due === undefined) {
        // One that has fired stays until the stream sets it again; it leads to nothing.
        if (fired === undefined) fault("follows from no event");
        return;
      }
      if (row.text(5) !== row.text(0)) fault("names an event of another stream");
      if (row.milliseconds(2) !== due) fault("is due at another time");
      if (fired === undefined) return;
      if (erasing.has(row.text(1))) fault("counts as fired, and the erasure is no fact");
      if (fired < due || fired > this.#nowMs + clockMsMax) fault("counts as fired at another time");
    });
    for (const key of this.#timers.keys()) this.#findings.add("timer", null, `${key} is missing`);
  }

  async #compareMessages(): Promise<void> {
    const select = `select o.pos, o.name, o.payload, o.turn, o.added_at, o.done_at, o.given_up_at, o.id
      from only ledger.outbox o where o.pos > ${this.#from.position}`;
    await copyRows(this.#tx, select, 8, (row) => {
      const position = row.number(0);
      const name = row.text(1);
      const payload: unknown = JSON.parse(row.bytes(2).toString("utf8", 1));
      const fault = (why: string): void =>
        this.#findings.add("outbox", position, `message ${row.number(7)}, ${name}: ${why}`);
      const appended = this.#messages.delete(messageText(position, name, payload));
      if (!appended && !this.#isOther(position, name, payload)) fault("follows from no event");
      const turns = row.number(3);
      const settled = [5, 6].flatMap((column) =>
        row.isNull(column) ? [] : [row.milliseconds(column)],
      );
      const [settledMs] = settled;
      if (turns < 0 || turns > attemptsMax) fault("has another number of attempts");
      if (settledMs === undefined) return;
      if (turns === 0 && appended) fault("counts as settled without an attempt");
      if (settledMs < row.milliseconds(4) || settledMs > this.#nowMs + clockMsMax) {
        fault("counts as settled at another time");
      }
    });
    const forgettableMs = keptSinceMs(retentionPeriods.messages, this.#nowMs);
    for (const [text, { position, recordedMs }] of this.#messages) {
      // A message that was settled is forgotten when its time is over.
      if (recordedMs < forgettableMs) continue;
      const [, name] = text.split(" ");
      this.#findings.add("outbox", position, `a message ${name} is missing`);
    }
  }

  #isOther(position: number, name: string, payload: unknown): boolean {
    const id = this.#other.get(`${position} ${name}`);
    if (id === undefined || typeof payload !== "object" || payload === null) return false;
    return Object.values(payload).includes(id);
  }
}

const messageText = (position: number, name: string, payload: unknown): string =>
  `${position} ${name} ${canonicalJson(payload)}`;
