-- The event store: one gapless, hash-chained sequence of facts (Postgres 16 or newer).
--
-- One append is one call of ledger.append, hence one statement and one implicit transaction: the
-- client never holds a transaction open, and nothing can be half written.

do $$
declare missing text;
begin
  select string_agg(wanted, ', ' order by wanted) into missing
    from unnest(array['ledger_app', 'collector_app']) wanted
   where not exists (select from pg_roles where rolname = wanted);
  if missing is not null then
    raise exception 'The role(s) % do not exist. Provision the roles before migrating the ledger.', missing
      using errcode = 'undefined_object';
  end if;
end $$;

-- The end of the chain. Its row lock is the only point where appends queue, and it is held until
-- the commit: positions therefore become visible in their order and without gaps, so that a reader
-- that follows by position can never miss one. Genesis is 32 zero bytes.
create table ledger.head (
  one   boolean primary key default true check (one),
  epoch int     not null,  -- +1 whenever a backup was restored
  pos   bigint  not null,
  hash  bytea   not null
) with (fillfactor = 10);
insert into ledger.head values (true, 1, 0, decode(repeat('00', 32), 'hex'));

create table ledger.stream (
  stream   text primary key check (stream ~ '^[a-z]+-[a-z0-9-]+$'),
  category text not null generated always as (split_part(stream, '-', 1)) stored,
  version  int  not null
);

create table ledger.event (
  pos            bigint         primary key,
  epoch          int            not null,
  stream         text           not null,
  version        int            not null,
  event_id       uuid           not null unique,
  command_id     uuid           not null,
  type           text           not null check (type ~ '^[A-Za-z]+$'),
  schema_version int            not null check (schema_version > 0),
  occurred_at    timestamptz(3) not null,  -- what the caller says
  recorded_at    timestamptz(3) not null,  -- what the database's clock says
  meta           text           not null check (meta is json object),  -- canonical JSON, ids only
  data           text           not null check (data is json object),  -- canonical JSON, no personal data
  sealed         bytea,                    -- personal data under the subject's key, or null
  key_id         uuid,
  sealed_hash    bytea,                    -- SHA-256 of sealed; stays when sealed is dropped
  prev           bytea          not null,
  hash           bytea          not null,
  unique (stream, version),
  check ((sealed_hash is null) = (key_id is null)),
  check (sealed is null or sealed_hash is not null)
);

-- What was answered to a command, so that its repetition is answered with the same bytes.
create table ledger.command (
  command_id uuid        primary key,
  body_hash  bytea       not null,
  first_pos  bigint      not null,
  last_pos   bigint      not null,
  reply      text        not null,
  at         timestamptz not null
);

-- The database owns time; a queue only wakes workers.
create table ledger.due_timer (
  stream   text        not null,
  name     text        not null,
  due_at   timestamptz not null,
  fired_at timestamptz,
  pos      bigint      not null,
  primary key (stream, name)
);
create index on ledger.due_timer (due_at) where fired_at is null;

-- Work that follows from events, handed to the queue as job `outbox-<id>`. Ids may have gaps.
create table ledger.outbox (
  id         bigint      generated always as identity primary key,
  pos        bigint      not null,
  name       text        not null,
  payload    jsonb       not null,
  added_at   timestamptz not null default clock_timestamp(),
  relayed_at timestamptz
);
create index on ledger.outbox (id) where relayed_at is null;

-- How far a projection that follows by position has come.
create table ledger.checkpoint (
  projection text   primary key,
  epoch      int    not null,
  pos        bigint not null
);

-- Tables that events write, and how. `inline` tables are written with the append, `async` ones by
-- position, `effect` ones (outbox, timers) with the append but never again by a rebuild.
create table ledger.written_table (
  name       text primary key,
  projection text,
  mode       text not null check (mode in ('inline', 'async', 'effect')),
  put_sql    text not null,
  gone_sql   text,
  check ((projection is null) = (mode = 'effect'))
);

-- Registers a table of schema ledger that has a column pos (the event that wrote the row). The
-- statements are made from the catalog: rows are put whole, by primary key; identity columns and
-- columns with a default are left to the database. Call it again after the table changed.
create function ledger.register_table(p_name text, p_mode text, p_projection text default null)
returns void language plpgsql set search_path = ledger, pg_temp as $$
declare
  columns text[]; keys text[]; others text; put text; gone text;
begin
  select array_agg(attname::text order by attnum) into columns from pg_attribute
   where attrelid = format('ledger.%I', p_name)::regclass and attnum > 0 and not attisdropped
     and attidentity = '' and attgenerated = '' and not atthasdef;
  select array_agg(a.attname::text order by array_position(i.indkey::int2[], a.attnum)) into keys
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
   where i.indrelid = format('ledger.%I', p_name)::regclass and i.indisprimary;
  if not 'pos' = any (columns) then raise exception 'Table % has no column pos', p_name; end if;
  put := format('insert into ledger.%%1$I (%s) select %s from jsonb_populate_recordset(null::ledger.%I, $1) r',
    (select string_agg(quote_ident(c), ', ') from unnest(columns) c),
    (select string_agg(case c when 'pos' then 'r.pos + $2' else 'r.' || quote_ident(c) end, ', ') from unnest(columns) c),
    p_name);
  if keys <@ columns then
    select string_agg(format('%1$I = excluded.%1$I', c), ', ') into others
      from unnest(columns) c where c <> all (keys);
    put := put || format(' on conflict (%s) do update set %s',
      (select string_agg(quote_ident(k), ', ') from unnest(keys) k), others);
    gone := format('delete from ledger.%%1$I t using jsonb_populate_recordset(null::ledger.%I, $1) r where %s', p_name,
      (select string_agg(format('t.%1$I = r.%1$I', k), ' and ') from unnest(keys) k));
  end if;
  insert into written_table values (p_name, p_projection, p_mode, put, gone)
    on conflict (name) do update set projection = excluded.projection, mode = excluded.mode,
      put_sql = excluded.put_sql, gone_sql = excluded.gone_sql;
  if p_mode = 'async' then
    insert into checkpoint values (p_projection, 1, 0) on conflict do nothing;
  end if;
end $$;

-- Writes rows: [{"table": t, "put": [row...], "gone": [key...]}...], each key at most once. A row's
-- pos counts from p_base. One mechanism for the append, for followers and for rebuilds, so that
-- they cannot differ; a domain owns its tables (its migration) and its rows (its projection).
create function ledger.write_rows(p_changes jsonb, p_base bigint, p_modes text[],
  p_projection text default null, p_suffix text default '')
returns void language plpgsql set search_path = ledger, pg_temp as $$
declare c jsonb; t written_table;
begin
  for c in select * from jsonb_array_elements(p_changes) loop
    select * into t from written_table w where w.name = c->>'table' and w.mode = any (p_modes)
       and (p_projection is null or w.projection = p_projection);
    if not found then raise exception 'Table % may not be written here', c->>'table'; end if;
    if c ? 'gone' then execute format(t.gone_sql, t.name || p_suffix) using c->'gone'; end if;
    if c ? 'put' then execute format(t.put_sql, t.name || p_suffix) using c->'put', p_base; end if;
  end loop;
end $$;

-- The chain: SHA-256 over the previous hash and the event's fields as UTF-8 text, separated by
-- U+001F, which none of them can contain. Times are milliseconds since 1970.
create function ledger.link(p_prev bytea, e ledger.event) returns bytea language sql stable as $$
  select sha256(p_prev || convert_to(concat_ws(E'\x1f',
    e.pos, e.epoch, e.stream, e.version, e.event_id, e.command_id, e.type, e.schema_version,
    (extract(epoch from e.occurred_at) * 1000)::bigint,
    (extract(epoch from e.recorded_at) * 1000)::bigint,
    e.meta, e.data, coalesce(e.key_id::text, '-'), coalesce(encode(e.sealed_hash, 'hex'), '-')), 'UTF8')) $$;

-- Appends events to one stream, with the rows that guard later decisions and the outbox.
-- p_expected: n >= 0 that version exactly (0 also for a stream that does not exist), -1 the stream
-- must not exist, -2 it must exist, -3 any.
-- p_events: [{"id", "type", "sv", "at"?, "meta": text, "data": text, "sealed"? base64, "key_id"?}...].
-- p_changes: for write_rows; a row's pos is its event's place in p_events, from 0.
-- status: appended | replayed (reply as stored) | mismatch (same command id, other body)
--         | conflict (version as it is).
create function ledger.append(p_command uuid, p_body bytea, p_stream text, p_expected int,
  p_events jsonb, p_reply text, p_changes jsonb)
returns table (status text, first_pos bigint, last_pos bigint, version int, reply text)
language plpgsql security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare h head; c command; r event; e jsonb; v int; t timestamptz(3); f bigint;
begin
  if jsonb_array_length(p_events) = 0 then raise exception 'An append needs at least one event'; end if;
  select * into h from head for update;
  select * into c from command where command_id = p_command;
  if found then
    if c.body_hash <> p_body then
      return query select 'mismatch', null::bigint, null::bigint, null::int, null::text;
    else
      return query select 'replayed', c.first_pos, c.last_pos, null::int, c.reply;
    end if;
    return;
  end if;
  select s.version into v from stream s where s.stream = p_stream;
  if (p_expected = -1 and v is not null) or (p_expected = -2 and v is null)
     or (p_expected >= 0 and coalesce(v, 0) <> p_expected) then
    return query select 'conflict', null::bigint, null::bigint, coalesce(v, 0), null::text;
    return;
  end if;
  v := coalesce(v, 0); t := clock_timestamp(); f := h.pos + 1;
  for e in select * from jsonb_array_elements(p_events) loop
    v := v + 1; h.pos := h.pos + 1;
    r := row(h.pos, h.epoch, p_stream, v, (e->>'id')::uuid, p_command, e->>'type', (e->>'sv')::int,
      coalesce((e->>'at')::timestamptz(3), t), t, e->>'meta', e->>'data',
      decode(e->>'sealed', 'base64'), (e->>'key_id')::uuid, sha256(decode(e->>'sealed', 'base64')),
      h.hash, ''::bytea)::event;
    r.hash := link(h.hash, r); h.hash := r.hash;
    insert into event select (r).*;
  end loop;
  insert into stream (stream, version) values (p_stream, v)
    on conflict (stream) do update set version = excluded.version;
  update head set pos = h.pos, hash = h.hash;
  insert into command values (p_command, p_body, f, h.pos, p_reply, t);
  perform write_rows(p_changes, f, '{inline,effect}');
  return query select 'appended', f, h.pos, v, p_reply;
end $$;

-- Takes a follower one step on: its rows and its checkpoint together. False when another instance
-- was faster; nothing is written then.
create function ledger.project(p_projection text, p_from_epoch int, p_from_pos bigint,
  p_to_epoch int, p_to_pos bigint, p_changes jsonb)
returns boolean language plpgsql security definer
set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  update checkpoint set epoch = p_to_epoch, pos = p_to_pos
   where projection = p_projection and epoch = p_from_epoch and pos = p_from_pos;
  if not found then return false; end if;
  perform write_rows(p_changes, 0, '{async}', p_projection);
  return true;
end $$;

-- Events never change. The one exception: ciphertext may be dropped, its hash stays. The triggers
-- also fire where replication would switch ordinary ones off.
create function ledger.frozen() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.sealed is not null and new.sealed is null
     and (to_jsonb(old) - 'sealed') = (to_jsonb(new) - 'sealed') then return new; end if;
  raise exception 'ledger.event is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger frozen before update or delete on ledger.event
  for each row execute function ledger.frozen();
create trigger frozen_truncate before truncate on ledger.event
  for each statement execute function ledger.frozen();
alter table ledger.event enable always trigger frozen;
alter table ledger.event enable always trigger frozen_truncate;

select ledger.register_table('due_timer', 'effect'), ledger.register_table('outbox', 'effect');

-- The service may read, append, and take its followers on; nothing else. Functions are open to
-- everybody unless that is taken back.
revoke all on all functions in schema ledger from public;
grant usage on schema ledger to ledger_app, collector_app;
grant select on ledger.head, ledger.stream, ledger.event, ledger.command, ledger.due_timer,
  ledger.outbox, ledger.checkpoint to ledger_app;
grant execute on function ledger.append, ledger.project to ledger_app;
