import type { Finding } from "../findings.ts";

/** An attack of a superuser, and what the verifier must say about it. */
export type Attack = {
  readonly name: string;
  readonly sql: string;
  readonly why: Finding["why"];
  /** Of the finding, where the attack is at one event. */
  readonly position?: number;
  /** A part of what the finding is about. */
  readonly about?: string;
};

/** Computes the chain anew from a position on, with the head. */
export const rehash = (position: number): string => `do $$ declare e ledger.event; h bytea; begin
    select coalesce((select hash from ledger.event where pos = ${position} - 1), decode(repeat('00', 32), 'hex')) into h;
    for e in select * from ledger.event where pos >= ${position} order by pos loop
      e.prev := h;
      update ledger.event set prev = h, hash = ledger.event_hash(h, e) where pos = e.pos returning hash into h;
    end loop;
    update ledger.head set hash = h, pos = (select max(pos) from ledger.event);
  end $$`;

const event = (position: number, set: string): string =>
  `update ledger.event set ${set} where pos = ${position}`;

/** Changes of single events. Each is at a consent of its own. */
export const eventAttacks: readonly Attack[] = [
  ["data", "data = replace(data, 'accept_all', 'customise')"],
  ["type", "type = 'ConsentWithdrawn'"],
  ["actor", `meta = replace(meta, 'visitor', 'operator')`],
  ["time of the fact", "occurred_at = occurred_at - interval '1 day'"],
  ["time of the record", "recorded_at = recorded_at - interval '1 day'"],
  ["stream", "stream = 'consent-' || gen_random_uuid()"],
  ["version", "version = 77"],
  ["id", "event_id = gen_random_uuid()"],
  ["command", "command_id = gen_random_uuid()"],
  ["schema version", "schema_version = 2"],
  ["epoch", "epoch = 2"],
  ["hash", "hash = sha256(hash)"],
].map(([column = "", set = ""], index) => ({
  name: `the ${column} of an event is changed`,
  sql: event(3_000 + index * 100, set),
  why: "hash",
  position: 3_000 + index * 100,
}));

/** Changes of the chain at other places. */
export const chainAttacks: readonly Attack[] = [
  {
    name: "an event names another predecessor",
    sql: event(5_000, "prev = sha256(prev)"),
    why: "prev",
    position: 5_000,
  },
  {
    name: "an event is deleted",
    sql: "delete from ledger.event where pos = 5100",
    why: "missing",
    position: 5_100,
  },
  {
    name: "two events change places",
    sql: `${event(5_200, "pos = -1")}; ${event(5_201, "pos = 5200")}; ${event(-1, "pos = 5201")}`,
    why: "prev",
    position: 5_200,
  },
  {
    name: "an event is changed together with its own hash",
    sql: `${event(5_300, "data = replace(data, 'accept_all', 'customise')")};
      update ledger.event e set hash = ledger.event_hash(e.prev, e) where pos = 5300`,
    why: "prev",
    position: 5_301,
  },
  {
    name: "a second event takes an existing position",
    sql: `alter table ledger.event drop constraint event_pkey;
      insert into ledger.event select pos, epoch, stream, version + 1, gen_random_uuid(), command_id, type,
        schema_version, occurred_at, recorded_at, meta, data, sealed, key_id, sealed_hash, prev, hash
        from ledger.event where pos = 5400`,
    why: "duplicate",
    position: 5_400,
  },
  {
    name: "the record of a stream names another version",
    sql: `update ledger.stream set version = 9 where stream = (select stream from ledger.event where pos = 5500)`,
    why: "stream",
  },
  {
    name: "the record of a stream is deleted",
    sql: `delete from ledger.stream where stream = (select stream from ledger.event where pos = 5600)`,
    why: "stream",
  },
  {
    name: "a stream without events is recorded",
    sql: "insert into ledger.stream (stream, version) values ('consent-0', 1)",
    why: "stream",
    about: "consent-0",
  },
  {
    name: "the record of a command is deleted",
    sql: "delete from ledger.command where first_pos = 5700",
    why: "command",
    position: 5_700,
    about: "no record",
  },
  {
    name: "the record of a command names other events",
    sql: "update ledger.command set last_pos = last_pos + 1 where first_pos = 5800",
    why: "command",
    position: 5_800,
  },
  {
    name: "a command without events is recorded",
    sql: `insert into ledger.command values (gen_random_uuid(), '\\x00', 5900, 5900, '{}', now())`,
    why: "command",
    position: 5_900,
  },
];

/** Attacks on the whole chain. `end` is the last position, which a signed head names. */
export function wholeAttacks(end: number): readonly Attack[] {
  const cut = `delete from ledger.event where pos > ${end - 10}; delete from ledger.command where last_pos > ${end - 10};
    delete from ledger.stream s where not exists (select from ledger.event e where e.stream = s.stream)`;
  const near = end - 500;
  return [
    { name: "the end is cut off", sql: cut, why: "head", position: end },
    {
      name: "the end is cut off, and every record is adapted",
      sql: `${cut}; update ledger.head set (pos, hash) = (select pos, hash from ledger.event order by pos desc limit 1)`,
      why: "rewritten",
      position: end,
    },
    { name: "the head is deleted", sql: "delete from ledger.head", why: "head", position: end },
    {
      name: "the head is turned back",
      sql: `update ledger.head set (pos, hash) = (select pos, hash from ledger.event where pos = ${near})`,
      why: "head",
      position: near,
    },
    {
      name: "an event is changed, and the chain is computed anew",
      sql: `${event(near, "data = replace(data, 'accept_all', 'customise')")}; ${rehash(near)}`,
      why: "rewritten",
      position: end,
    },
    {
      name: "an event is taken out, and the chain is numbered and computed anew",
      sql: `delete from ledger.event where pos = ${near}; delete from ledger.command where first_pos = ${near};
        delete from ledger.stream s where not exists (select from ledger.event e where e.stream = s.stream);
        update ledger.event set pos = -pos where pos > ${near}; update ledger.event set pos = -pos - 1 where pos < 0;
        update ledger.command set first_pos = first_pos - 1, last_pos = last_pos - 1 where first_pos > ${near};
        ${rehash(near)}`,
      why: "rewritten",
      position: end,
    },
    {
      name: "an event is put in, and the chain is numbered and computed anew",
      sql: `update ledger.event set pos = -pos where pos >= ${near}; update ledger.event set pos = -pos + 1 where pos < 0;
        update ledger.command set first_pos = first_pos + 1, last_pos = last_pos + 1 where first_pos >= ${near};
        insert into ledger.event select ${near}, epoch, stream || '0', 1, gen_random_uuid(), gen_random_uuid(), type, schema_version,
          occurred_at, recorded_at, meta, data, sealed, key_id, sealed_hash, prev, hash from ledger.event where pos = ${near} + 1;
        insert into ledger.command select command_id, '\\x00', pos, pos, '{}', recorded_at from ledger.event where pos = ${near};
        insert into ledger.stream (stream, version) select stream, 1 from ledger.event where pos = ${near};
        ${rehash(near)}`,
      why: "rewritten",
      position: end,
    },
    {
      name: "the ledger is emptied, and begins anew",
      sql: `delete from ledger.snapshot; delete from ledger.event; delete from ledger.stream; delete from ledger.command;
        update ledger.head set pos = 0, hash = decode(repeat('00', 32), 'hex')`,
      why: "rewritten",
      position: end,
    },
    {
      name: "an event is appended past the append, without its command",
      sql: `insert into ledger.event select pos + 1, epoch, 'consent-1', 1, gen_random_uuid(), gen_random_uuid(), type, schema_version,
          occurred_at, recorded_at, meta, data, sealed, key_id, sealed_hash, hash, hash from ledger.event where pos = ${end};
        insert into ledger.stream (stream, version) values ('consent-1', 1); ${rehash(end + 1)}`,
      why: "command",
      position: end + 1,
    },
    {
      name: "operators that lie come first in the search path",
      sql: `create schema lies; create function lies.equal(bytea, bytea) returns boolean language sql as 'select true';
        create operator lies.= (leftarg = bytea, rightarg = bytea, function = lies.equal);
        create function lies.more(bigint, int) returns boolean language sql as 'select false';
        create operator lies.> (leftarg = bigint, rightarg = int, function = lies.more);
        set local search_path = lies, pg_catalog; ${event(near, "data = '{}'")}`,
      why: "hash",
      position: near,
    },
  ];
}
