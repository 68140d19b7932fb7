-- The state of a stream after some of its events, so that a long stream is read as fast as a short
-- one. Written with the append that it follows from; deleting rows loses nothing but time.
create table ledger.snapshot (
  stream     text   primary key references ledger.stream,
  definition text   not null check (definition ~ '^[0-9a-f]{64}$'),
  version    int    not null check (version > 0),
  state      jsonb  not null,
  pos        bigint not null
);
grant select on ledger.snapshot to ledger_app;

comment on table ledger.snapshot is 'States of long streams. Kept: as long as the stream; replaced by later ones';
comment on column ledger.snapshot.stream is 'pseudonym: Stream; contains a pseudonym or an account id';
comment on column ledger.snapshot.definition is 'operational: Form and rules of the state';
comment on column ledger.snapshot.version is 'operational: Last event of the stream that the state follows from';
comment on column ledger.snapshot.state is 'content: What the events lead to, free of personal data';
comment on column ledger.snapshot.pos is 'operational: Event that wrote the row';

create function ledger.upsert_snapshot(jsonb, bigint) returns void language plpgsql as $$ begin
  insert into ledger.snapshot (stream, definition, version, state, pos)
    select r.stream, r.definition, r.version, r.state, r.pos + $2
      from jsonb_to_recordset($1) as r(stream text, definition text, version int, state jsonb, pos bigint)
    on conflict (stream) do update set definition = excluded.definition, version = excluded.version,
      state = excluded.state, pos = excluded.pos;
end $$;
revoke all on function ledger.upsert_snapshot from public;

-- The newest sealed part of a stream is found without reading the events after it.
create index on ledger.event (stream, type, version) where key_id is not null;

-- The rows of a statement's appends are written together: one statement per table instead of several
-- for each append. As in 0017, a row belongs to the stream of its append and to one of its events.
drop function ledger.write_append_rows;

-- Writes what appends led to. p_rows: [{"stream", "first", "last", "changes"}...], one for each append;
-- changes: [{"table", "upsert": [row...], "delete": [key...]}...], where a row's pos is its event's place
-- in the append, from 0. No two appends are of one stream.
create function ledger.write_appends(p_events ledger.event[], p_commands ledger.command[], p_rows jsonb)
returns void language plpgsql as $$
declare w record;
begin
  insert into event select * from unnest(p_events);
  insert into command select * from unnest(p_commands);
  insert into stream (stream, version) select e.stream, max(e.version) from unnest(p_events) e group by e.stream
    on conflict on constraint stream_pkey do update set version = excluded.version;
  for w in
    select c->>'table' as name,
           jsonb_agg(r || jsonb_build_object('pos', a.first + (r->>'pos')::bigint)) filter (where k.key = 'upsert') as upserts,
           jsonb_agg(r) filter (where k.key = 'delete') as deletes,
           bool_and(coalesce(case k.key when 'upsert' then (r->>'pos')::bigint between 0 and a.last - a.first
                               else k.key = 'delete' end, false)
             and case when c->>'table' = 'outbox' then k.key = 'upsert'
                   when c->>'table' in ('due_timer', 'snapshot') then coalesce(r->>'stream' = a.stream, false)
                   else coalesce(lower(r->>m.stream_column) = substr(a.stream, strpos(a.stream, '-') + 1), false) end) as supported
      from jsonb_to_recordset(p_rows) as a(stream text, first bigint, last bigint, changes jsonb)
      cross join jsonb_array_elements(a.changes) c
      left join read_model m on m.name = c->>'table' and m.mode = 'inline' and m.category = split_part(a.stream, '-', 1)
      cross join jsonb_each(c - 'table') k cross join jsonb_array_elements(k.value) r
     group by 1
  loop
    if not w.supported then
      raise exception 'No event of its append supports a row of %', w.name using errcode = 'insufficient_privilege';
    end if;
    if w.deletes is not null then execute format('select ledger.%I($1)', 'delete_' || w.name) using w.deletes; end if;
    if w.upserts is not null then execute format('select ledger.%I($1, 0)', 'upsert_' || w.name) using w.upserts; end if;
  end loop;
end $$;

-- As in 0014 and 0017, but that what the appends led to is written at the end, or before a later one
-- that must see it.
create or replace function ledger.append(p_requests jsonb)
returns table (outcome text, first_position bigint, last_position bigint, new_version int, answer text)
language plpgsql security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare
  h head; q record; c command; r event; e record; v int; t timestamptz(3); replayed boolean;
  events event[] := '{}'; commands command[] := '{}'; rows jsonb := '[]';
  streams text[] := '{}'; ids uuid[] := '{}';
begin
  -- Processes take turns in the order in which they came; waiting for the row alone, each would be woken
  -- to find that another was faster.
  perform pg_advisory_xact_lock(hashtextextended('ledger.append', 0));
  select * into h from head for update;
  for q in select * from jsonb_to_recordset(p_requests) as x(command uuid, body text, stream text,
             expected int, events jsonb, reply text, changes jsonb, process jsonb) loop
    if jsonb_array_length(q.events) = 0 then raise exception 'An append needs at least one event'; end if;
    if q.stream = any (streams) or q.command = any (ids) then
      perform write_appends(events, commands, rows);
      events := '{}'; commands := '{}'; rows := '[]'; streams := '{}'; ids := '{}';
    end if;
    outcome := null; first_position := null; last_position := null; new_version := null; answer := null;
    select * into c from command where command_id = q.command;
    replayed := found;
    select s.version into v from stream s where s.stream = q.stream;
    if replayed and c.body_hash <> decode(q.body, 'hex') then
      outcome := 'mismatch';
    elsif not replayed and ((q.expected = -1 and v is not null) or (q.expected = -2 and v is null)
        or (q.expected >= 0 and coalesce(v, 0) <> q.expected)) then
      outcome := 'conflict'; new_version := coalesce(v, 0);
    elsif q.process is not null and not move_process(q.process, h.pos) then
      outcome := 'superseded';
    elsif replayed then
      outcome := 'replayed'; first_position := c.first_pos; last_position := c.last_pos; answer := c.reply;
    else
      v := coalesce(v, 0); t := clock_timestamp(); first_position := h.pos + 1;
      for e in select * from jsonb_to_recordset(q.events) as x(id uuid, type text, sv int,
                 at timestamptz(3), meta text, data text, sealed text, key_id uuid) loop
        v := v + 1; h.pos := h.pos + 1;
        r := row(h.pos, h.epoch, q.stream, v, e.id, q.command, e.type, e.sv, coalesce(e.at, t), t, e.meta, e.data,
          decode(e.sealed, 'base64'), e.key_id, sha256(decode(e.sealed, 'base64')), h.hash, ''::bytea)::event;
        r.hash := event_hash(h.hash, r); h.hash := r.hash;
        events := events || r;
      end loop;
      commands := commands || row(q.command, decode(q.body, 'hex'), first_position, h.pos, q.reply, t)::command;
      rows := rows || jsonb_build_object('stream', q.stream, 'first', first_position, 'last', h.pos, 'changes', q.changes);
      streams := streams || q.stream; ids := ids || q.command;
      outcome := 'appended'; last_position := h.pos; new_version := v; answer := q.reply;
    end if;
    return next;
  end loop;
  if cardinality(streams) > 0 then perform write_appends(events, commands, rows); end if;
  update head set pos = h.pos, hash = h.hash where pos <> h.pos;
end $$;

revoke all on function ledger.write_appends from public;
