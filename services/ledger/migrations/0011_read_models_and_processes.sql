-- Read models are defined in the code and their tables are made from those definitions: `migrate` builds
-- a table that is new or whose definition changed from the events. Processes (event -> command) move
-- their checkpoint in the transaction of the append. Names follow the glossary.
--
-- Programs of earlier versions cannot append any more: the functions they call are gone, so that
-- nothing is written in two forms.

-- Tables and views that are derived from events: dropped, and built again from their definitions.
drop view ledger.consent_gate, ledger.newsletter_subscriber;
drop table ledger.consent_current, ledger.consent_receipt, ledger.newsletter_standing,
  ledger.newsletter_wishes, ledger.newsletter_issue, ledger.written_table;
delete from ledger.checkpoint;
do $$ declare f record; begin
  for f in select oid::regprocedure as name from pg_proc
            where pronamespace = 'ledger'::regnamespace and proname ~ '^(put|remove)_' loop
    execute format('drop function %s', f.name);
  end loop;
end $$;
drop function ledger.append, ledger.project, ledger.write_rows, ledger.register_table,
  ledger.swap_table, ledger.digest, ledger.verify, ledger.link,
  ledger.open_subscriber, ledger.new_sender, ledger.keep_issue_content, ledger.begin_issue_part,
  ledger.take_letter, ledger.settle_letter, ledger.delay_letter, ledger.continue_issue,
  ledger.ask_for_part, ledger.resume_issue;

-- How far a follower (a following read model, or a process) has come.
alter table ledger.checkpoint rename column projection to follower;

-- Read models that exist as tables. `inline` ones are written with the append, `following` ones by
-- position. The hash is of the definition that the table was built from.
create table ledger.read_model (
  name            text primary key,
  mode            text not null check (mode in ('inline', 'following')),
  definition_hash text not null
);

-- Rows of an append that are not a read model. Upserted whole: a timer that fired and is set again
-- has not fired.
create function ledger.upsert_outbox(jsonb, bigint) returns void language plpgsql as $$ begin
  insert into ledger.outbox (pos, name, payload)
    select r.pos + $2, r.name, r.payload from jsonb_to_recordset($1) as r(pos bigint, name text, payload jsonb);
end $$;
create function ledger.upsert_due_timer(jsonb, bigint) returns void language plpgsql as $$ begin
  insert into ledger.due_timer (stream, name, due_at, fired_at, pos)
    select r.stream, r.name, r.due_at, null, r.pos + $2
      from jsonb_to_recordset($1) as r(stream text, name text, due_at timestamptz, pos bigint)
    on conflict (stream, name) do update
      set due_at = excluded.due_at, fired_at = excluded.fired_at, pos = excluded.pos;
end $$;
create function ledger.delete_due_timer(jsonb) returns void language plpgsql as $$
declare r record;
begin
  for r in select * from jsonb_to_recordset($1) as k(stream text, name text) loop
    delete from ledger.due_timer t where t.stream = r.stream and t.name = r.name;
  end loop;
end $$;

-- Writes rows: [{"table": t, "upsert": [row...], "delete": [key...]}...], each key at most once. A
-- row's pos counts from p_base. Each table has functions of its own, whose statements a connection
-- plans once. p_model names the one read model that may be written, null allows the append's tables.
create function ledger.write_rows(p_changes jsonb, p_base bigint, p_model text default null, p_suffix text default '')
returns void language plpgsql set search_path = ledger, pg_temp as $$
declare c jsonb; t text;
begin
  for c in select * from jsonb_array_elements(p_changes) loop
    t := c->>'table';
    if (p_model is null and t not in ('outbox', 'due_timer')
          and not exists (select from read_model m where m.name = t and m.mode = 'inline'))
       or t <> p_model or c - '{table,upsert,delete}'::text[] <> '{}' then
      raise exception 'These rows may not be written: %', t;
    end if;
    if c ? 'delete' then execute format('select ledger.%I($1)', 'delete_' || t || p_suffix) using c->'delete'; end if;
    if c ? 'upsert' then execute format('select ledger.%I($1, $2)', 'upsert_' || t || p_suffix) using c->'upsert', p_base; end if;
  end loop;
end $$;

-- The chain: SHA-256 over the previous hash and the event's fields as UTF-8 text, separated by
-- U+001F, which none of them can contain. Times are milliseconds since 1970.
create function ledger.event_hash(p_prev bytea, e ledger.event) returns bytea language sql stable as $$
  select sha256(p_prev || convert_to(concat_ws(E'\x1f',
    e.pos, e.epoch, e.stream, e.version, e.event_id, e.command_id, e.type, e.schema_version,
    (extract(epoch from e.occurred_at) * 1000)::bigint,
    (extract(epoch from e.recorded_at) * 1000)::bigint,
    e.meta, e.data, coalesce(e.key_id::text, '-'), coalesce(encode(e.sealed_hash, 'hex'), '-')), 'UTF8')) $$;

-- Moves a follower's checkpoint, unless another instance was faster.
create function ledger.move_checkpoint(p_follower text, p_from_epoch int, p_from_pos bigint, p_to_epoch int, p_to_pos bigint)
returns boolean language plpgsql set search_path = ledger, pg_temp as $$
begin
  update checkpoint set epoch = p_to_epoch, pos = p_to_pos
   where follower = p_follower and epoch = p_from_epoch and pos = p_from_pos;
  return found;
end $$;

-- Appends events to one stream, with the rows that guard later decisions, the outbox and the timers.
-- p_expected: n >= 0 that version exactly (0 also for a stream that does not exist), -1 the stream
-- must not exist, -2 it must exist, -3 any.
-- p_events: [{"id", "type", "sv", "at"?, "meta": text, "data": text, "sealed"? base64, "key_id"?}...].
-- p_changes: for write_rows; a row's pos is its event's place in p_events, from 0.
-- p_process: {"name", "epoch", "pos", "to_epoch", "to_pos"} moves the checkpoint of the process that
-- issued the command, also when the command was carried out before; null for other commands. It has no
-- default, so that a call of an earlier version, which had seven arguments, fails.
-- status: appended | replayed (reply as stored) | mismatch (same command id, other body)
--         | conflict (version as it is) | superseded (another instance of the process was faster).
create function ledger.append(p_command uuid, p_body bytea, p_stream text, p_expected int,
  p_events jsonb, p_reply text, p_changes jsonb, p_process jsonb)
returns table (status text, first_pos bigint, last_pos bigint, version int, reply text)
language plpgsql security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare h head; c command; r event; e jsonb; v int; t timestamptz(3); f bigint; replayed boolean;
begin
  if jsonb_array_length(p_events) = 0 then raise exception 'An append needs at least one event'; end if;
  select * into h from head for update;
  select * into c from command where command_id = p_command;
  replayed := found;
  if replayed and c.body_hash <> p_body then
    return query select 'mismatch', null::bigint, null::bigint, null::int, null::text;
    return;
  end if;
  select s.version into v from stream s where s.stream = p_stream;
  if not replayed and ((p_expected = -1 and v is not null) or (p_expected = -2 and v is null)
     or (p_expected >= 0 and coalesce(v, 0) <> p_expected)) then
    return query select 'conflict', null::bigint, null::bigint, coalesce(v, 0), null::text;
    return;
  end if;
  if p_process is not null and not move_checkpoint(p_process->>'name', (p_process->>'epoch')::int,
       (p_process->>'pos')::bigint, (p_process->>'to_epoch')::int, (p_process->>'to_pos')::bigint) then
    return query select 'superseded', null::bigint, null::bigint, null::int, null::text;
    return;
  end if;
  if replayed then
    return query select 'replayed', c.first_pos, c.last_pos, null::int, c.reply;
    return;
  end if;
  v := coalesce(v, 0); t := clock_timestamp(); f := h.pos + 1;
  for e in select * from jsonb_array_elements(p_events) loop
    v := v + 1; h.pos := h.pos + 1;
    r := row(h.pos, h.epoch, p_stream, v, (e->>'id')::uuid, p_command, e->>'type', (e->>'sv')::int,
      coalesce((e->>'at')::timestamptz(3), t), t, e->>'meta', e->>'data',
      decode(e->>'sealed', 'base64'), (e->>'key_id')::uuid, sha256(decode(e->>'sealed', 'base64')),
      h.hash, ''::bytea)::event;
    r.hash := event_hash(h.hash, r); h.hash := r.hash;
    insert into event select (r).*;
  end loop;
  insert into stream (stream, version) values (p_stream, v)
    on conflict (stream) do update set version = excluded.version;
  update head set pos = h.pos, hash = h.hash;
  insert into command values (p_command, p_body, f, h.pos, p_reply, t);
  perform write_rows(p_changes, f);
  return query select 'appended', f, h.pos, v, p_reply;
end $$;

-- Takes a follower one step on: its rows and its checkpoint together. False when another instance
-- was faster; nothing is written then.
create function ledger.follow(p_follower text, p_from_epoch int, p_from_pos bigint,
  p_to_epoch int, p_to_pos bigint, p_changes jsonb default '[]')
returns boolean language plpgsql security definer
set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  if not move_checkpoint(p_follower, p_from_epoch, p_from_pos, p_to_epoch, p_to_pos) then return false; end if;
  perform write_rows(p_changes, 0, p_follower);
  return true;
end $$;

-- As in 0003, by event_hash.
create function ledger.verify(p_from bigint, p_to bigint)
returns table (bad_pos bigint, why text) language sql stable set search_path = ledger, pg_temp as $$
  with hashed as materialized (
    select x.pos, x.prev, x.hash, x.sealed, x.sealed_hash, event_hash(x.prev, x) as computed
      from event x where x.pos between p_from - 1 and p_to),
  pair as (
    select l.*, coalesce(lag(l.pos) over w, greatest(p_from - 2, 0)) as before,
           lag(l.hash) over w as hash_before, lag(l.computed) over w as computed_before
      from hashed l window w as (order by l.pos))
  select p.before + 1, 'missing' from pair p where p.pos <> p.before + 1
  union all
  select p.pos, case when p.unchained then 'prev' when p.unsealed then 'sealed' else 'hash' end
    from (select q.*,
            q.pos = q.before + 1 and case when q.pos = 1
              then q.prev <> decode(repeat('00', 32), 'hex')
              else q.prev not in (q.hash_before, q.computed_before) end as unchained,
            q.sealed is not null and sha256(q.sealed) is distinct from q.sealed_hash as unsealed
            from pair q where q.pos >= p_from) p
   where p.unchained or p.unsealed or p.hash <> p.computed
  order by 1, 2 $$;

-- Data subjects: the kinds are the domains'. One kind may have one subject per address, another one
-- per occasion.
alter table ledger.subject drop constraint subject_kind_check;
alter table ledger.subject add column one_per_address boolean not null default false;
update ledger.subject set one_per_address = kind = 'subscriber',
  kind = case kind when 'subscriber' then 'newsletter.subscriber' else 'contact.sender' end;
alter table ledger.subject add check (kind ~ '^[a-z]+[.][a-z]+$');
drop index ledger.subject_lookup_idx;
create unique index subject_per_address on ledger.subject (kind, lookup) where one_per_address;

-- Neither of the next two waits for the disk: the event that follows does, and with it is written all
-- that came before. A subject without an event is an orphan, and no loss.

-- The subject with this lookup, made with the given id and key if there is none. Several calls at once
-- get the same one; when the existing one is shredded meanwhile, a new one is made.
create function ledger.open_subject(p_kind text, p_id uuid, p_lookup bytea, p_wrapped_key bytea, p_wrapping_key_id text)
returns setof ledger.subject language plpgsql security definer
set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  loop
    return query select * from subject s where s.kind = p_kind and s.lookup = p_lookup and s.one_per_address;
    exit when found;
    return query insert into subject (subject_id, kind, lookup, wrapped_key, wrapping_key_id, one_per_address)
      values (p_id, p_kind, p_lookup, p_wrapped_key, p_wrapping_key_id, true)
      on conflict (kind, lookup) where one_per_address do nothing returning *;
    exit when found;
  end loop;
end $$;

-- A subject of one occasion; the existing one when the id was used before. Its lookup is final with
-- its first event: until then a repetition may come with another address.
create function ledger.new_subject(p_kind text, p_id uuid, p_lookup bytea, p_wrapped_key bytea, p_wrapping_key_id text)
returns setof ledger.subject language plpgsql security definer
set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  insert into subject (subject_id, kind, lookup, wrapped_key, wrapping_key_id)
    values (p_id, p_kind, p_lookup, p_wrapped_key, p_wrapping_key_id)
    on conflict (subject_id) do update set lookup = excluded.lookup
      where subject.kind = p_kind and subject.lookup <> excluded.lookup
        and not exists (select from event e where e.key_id = p_id);
  return query select * from subject s where s.subject_id = p_id and s.kind = p_kind and not s.one_per_address;
  if not found then raise exception 'The subject is of another kind' using errcode = 'unique_violation'; end if;
end $$;

revoke all on function ledger.upsert_outbox, ledger.upsert_due_timer, ledger.delete_due_timer,
  ledger.write_rows, ledger.event_hash, ledger.move_checkpoint, ledger.append, ledger.follow,
  ledger.verify, ledger.open_subject, ledger.new_subject from public;
grant select on ledger.read_model to ledger_app;
grant execute on function ledger.append, ledger.follow, ledger.open_subject, ledger.new_subject to ledger_app;
