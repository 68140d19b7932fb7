import { openPool, type Queryable, type Sql } from "./pool.ts";
import { isAway, PostgresUnavailable } from "./unavailable.ts";

/** Behind the primary by more, a replica is not read from: what others changed would be missed for too long. */
export const lagSecondsMax = 10;
/** So long the answer to "how far is the replica" is relied upon, on the connection that gave it. */
const knownForMs = 1_000;
/** So long a replica that does not answer is left alone. */
const restMs = 5_000;

/** Where a read was answered: by the replica, or by the primary for one of these reasons. */
export type ReadSource =
  | "replica"
  | "no-position"
  | "behind"
  | "late"
  | "promoted"
  | "failed"
  | "resting";

/** What was read, and a position at or beyond all that it can have shown. */
export type Read<Answer> = { readonly answer: Answer; readonly position: string };
type Work<Answer> = (sql: Queryable) => Promise<Answer>;

type ReplicaState = {
  readonly recovering: boolean;
  readonly streaming: boolean;
  readonly replayed: string;
  readonly received: string;
  /** Null until a transaction was replayed since the start. */
  readonly lagSeconds: number | null;
};
type Known = { readonly state: ReplicaState; readonly atMs: number };

/**
 * Reads of a replica that follows the primary by streaming. A position is that of the write-ahead log, as 16
 * hexadecimal digits, so that positions compare as texts.
 */
export class Replica {
  readonly #primary: Sql;
  readonly #replica: Sql;
  readonly #onRead: (source: ReadSource) => void;
  readonly #known = new WeakMap<object, Known>();
  #restUntilMs = 0;
  #asking: Promise<unknown> = Promise.resolve();
  #next: Promise<string> | undefined;

  /** @param url of the replica, for the same role and database as the primary's pool */
  constructor(
    primary: Sql,
    url: string,
    options: { readonly applicationName: string; readonly onRead: (source: ReadSource) => void },
  ) {
    this.#primary = primary;
    this.#onRead = options.onRead;
    const { applicationName } = options;
    const max = primary.options.max;
    this.#replica = openPool(url, {
      applicationName,
      max,
      connectSecondsMax: 1,
      statementSecondsMax: 2,
    });
  }

  /**
   * A position of the primary that is at or beyond every transaction whose commit was acknowledged, or could be read,
   * before the call: its record was inserted by then, also with `synchronous_commit = off` (PostgreSQL documentation,
   * 9.28.3: `pg_current_wal_insert_lsn` is the end of the log that is inserted, written or not). Calls that end while a
   * question is under way share the one after it.
   */
  position(): Promise<string> {
    const ask = async (): Promise<string> => {
      this.#next = undefined;
      const [row] = await this.#primary<{ position: string }[]>`
        select lpad(to_hex((pg_current_wal_insert_lsn() - '0/0')::bigint), 16, '0') as position`;
      if (row === undefined) throw new PostgresUnavailable("no position");
      return row.position;
    };
    this.#next ??= this.#asking = this.#asking.then(ask, ask);
    return this.#next;
  }

  /**
   * Does `work` on one connection of the replica, if that has replayed `needed`; else on the primary. Whatever
   * fails on the replica, a refusal of `work` included, is done again on the primary: `work` only reads.
   * @param needed what the caller wrote or saw; undefined when that is not known
   */
  async read<Answer>(needed: string | undefined, work: Work<Answer>): Promise<Read<Answer>> {
    const done = await this.#readReplica(needed, work);
    this.#onRead(typeof done === "string" ? done : "replica");
    if (typeof done !== "string") return done;
    const answer = await work(this.#primary);
    return { answer, position: await this.position() };
  }

  /** How far behind the primary the replica is, in seconds; undefined when it does not say. */
  async lagSeconds(): Promise<number | undefined> {
    const asked = this.#replica.hold((sql, connection) => this.#ask(sql, connection));
    return asked.then(
      ({ lagSeconds }) => lagSeconds ?? undefined,
      () => undefined,
    );
  }

  end(): Promise<void> {
    return this.#replica.end();
  }

  async #readReplica<Answer>(
    needed: string | undefined,
    work: Work<Answer>,
  ): Promise<Read<Answer> | Exclude<ReadSource, "replica">> {
    if (needed === undefined) return "no-position";
    if (performance.now() < this.#restUntilMs) return "resting";
    try {
      return await this.#replica.hold(async (sql, connection) => {
        const state = await this.#stateOf(sql, connection, needed);
        if (!state.recovering) return "promoted";
        if (!state.streaming || (state.lagSeconds ?? Infinity) > lagSecondsMax) return "late";
        if (state.replayed < needed) return "behind";
        const answer = await work(sql);
        const { received } = await this.#ask(sql, connection);
        return { answer, position: received };
      });
    } catch (error) {
      if (isAway(error)) this.#restUntilMs = performance.now() + restMs;
      return "failed";
    }
  }

  /** A connection stays with one server, whose position only grows: what it said before is enough, if it is enough. */
  async #stateOf(sql: Queryable, connection: object, needed: string): Promise<ReplicaState> {
    const known = this.#known.get(connection);
    const isNew = known !== undefined && performance.now() - known.atMs < knownForMs;
    return isNew && known.state.replayed >= needed ? known.state : this.#ask(sql, connection);
  }

  /**
   * Asked before a read, `replayed` is in its snapshot, which begins later. Asked after it, `received` is at or beyond
   * what the snapshot had: while it streams, a replica replays what it has received, and a record counts as
   * replayed only a moment after it shows.
   */
  async #ask(sql: Queryable, connection: object): Promise<ReplicaState> {
    const [state] = await sql<ReplicaState[]>`
      select pg_is_in_recovery() as recovering, coalesce(received >= replayed, false) as streaming,
             lpad(to_hex((replayed - '0/0')::bigint), 16, '0') as replayed,
             lpad(to_hex((greatest(received, replayed) - '0/0')::bigint), 16, '0') as received,
             extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as "lagSeconds"
        from (select coalesce(pg_last_wal_replay_lsn(), '0/0') as replayed,
                     pg_last_wal_receive_lsn() as received) at`;
    if (state === undefined) throw new PostgresUnavailable("no position");
    this.#known.set(connection, { state, atMs: performance.now() });
    return state;
  }
}
