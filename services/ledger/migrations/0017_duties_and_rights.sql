-- Legal duties are timers, and what the services write must be supported by events: a row that guards
-- decisions belongs to the stream of its append, a following row to an event that was followed, and a
-- key is destroyed only after the fact that its data is erased.

do $$
declare missing text;
begin
  select string_agg(wanted, ', ' order by wanted) into missing
    from unnest(array['ledger_operator', 'ledger_verifier', 'ledger_inbox']) wanted
   where not exists (select from pg_roles where rolname = wanted);
  if missing is not null then
    raise exception 'The role(s) % do not exist. Provision the roles before migrating the ledger.', missing
      using errcode = 'undefined_object';
  end if;
end $$;

-- What the definitions in the code say, written by `migrate` alone: which category a read model is of,
-- and which of its columns holds the id of the stream (null: its rows belong to no stream each).
alter table ledger.read_model add column category text, add column stream_column text;

-- Events with which the keys of a stream's sealed data are destroyed, by its category.
create table ledger.erasure_event (
  category text not null,
  type     text not null,
  primary key (category, type)
);

-- What operators did that leaves no event.
create table ledger.operator_action (
  id          bigint      generated always as identity primary key,
  at          timestamptz not null default clock_timestamp(),
  role        name        not null default session_user,
  operator    text        not null check (operator ~ '^[A-Za-z0-9_.@-]{1,64}$'),
  action      text        not null check (action in ('contact_message.read', 'outbox.retry')),
  concerns    text        not null check (length(concerns) <= 64)
);

-- The rows of an append: of the outbox, of the stream's own timers and snapshot, and of inline read
-- models of its category that belong to the stream. A row's pos is one of the append's own events.
create function ledger.write_append_rows(p_changes jsonb, p_first bigint, p_last bigint, p_stream text)
returns void language plpgsql set search_path = ledger, pg_temp as $$
declare c jsonb; t text; own text; id text := substr(p_stream, strpos(p_stream, '-') + 1);
begin
  for c in select * from jsonb_array_elements(p_changes) loop
    t := c->>'table';
    own := case when t = 'outbox' then null when t in ('due_timer', 'snapshot') then 'stream' else
      (select m.stream_column from read_model m where m.name = t and m.mode = 'inline'
          and m.category = split_part(p_stream, '-', 1)) end;
    if own is null and t <> 'outbox' then
      raise exception 'These rows may not be written: %', t using errcode = 'insufficient_privilege';
    end if;
    if exists (select from jsonb_array_elements(c->'upsert') r
          where (r->>'pos')::bigint not between 0 and p_last - p_first
             or (r->>'pos') is null)
       or (own is not null and exists (
            select from jsonb_array_elements(coalesce(c->'upsert', '[]') || coalesce(c->'delete', '[]')) r
             where lower(r->>own) is distinct from case own when 'stream' then p_stream else id end))
    then
      raise exception 'No event of this append supports these rows: %', t using errcode = 'insufficient_privilege';
    end if;
  end loop;
  perform write_rows(p_changes, p_first);
end $$;

-- As in 0014, but for the rows.
create or replace function ledger.append(p_requests jsonb)
returns table (outcome text, first_position bigint, last_position bigint, new_version int, answer text)
language plpgsql security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare
  h head; q record; c command; r event; e record; v int; t timestamptz(3); replayed boolean;
  appended event[] := '{}';
begin
  select * into h from head for update;
  for q in select * from jsonb_to_recordset(p_requests) as x(command uuid, body text, stream text,
             expected int, events jsonb, reply text, changes jsonb, process jsonb) loop
    if jsonb_array_length(q.events) = 0 then raise exception 'An append needs at least one event'; end if;
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
        appended := appended || r;
      end loop;
      insert into stream (stream, version) values (q.stream, v)
        on conflict on constraint stream_pkey do update set version = excluded.version;
      insert into command values (q.command, decode(q.body, 'hex'), first_position, h.pos, q.reply, t);
      perform write_append_rows(q.changes, first_position, h.pos, q.stream);
      outcome := 'appended'; last_position := h.pos; new_version := v; answer := q.reply;
    end if;
    return next;
  end loop;
  if cardinality(appended) > 0 then
    insert into event select * from unnest(appended);
    update head set pos = h.pos, hash = h.hash;
  end if;
end $$;

-- Moves the checkpoint of a process, never that of a read model, and only within what was recorded.
create function ledger.move_process(p_process jsonb, p_head bigint) returns boolean language plpgsql
set search_path = ledger, pg_temp as $$
begin
  if exists (select from read_model m where m.name = p_process->>'name')
     or (p_process->>'to_pos')::bigint not between (p_process->>'pos')::bigint and p_head then
    raise exception 'This checkpoint may not be moved: %', p_process->>'name' using errcode = 'insufficient_privilege';
  end if;
  return move_checkpoint(p_process->>'name', (p_process->>'epoch')::int, (p_process->>'pos')::bigint,
    (p_process->>'to_epoch')::int, (p_process->>'to_pos')::bigint);
end $$;

-- Takes a follower one step on: its rows and its checkpoint together. Rows are those of a following
-- read model, each from an event of its category that is passed with this step. False when another
-- instance was faster; nothing is written then.
create or replace function ledger.follow(p_follower text, p_from_epoch int, p_from_pos bigint,
  p_to_epoch int, p_to_pos bigint, p_changes jsonb default '[]')
returns boolean language plpgsql security definer
set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare of_category text;
begin
  select m.category into of_category from read_model m where m.name = p_follower and m.mode = 'following';
  if (not found and p_changes <> '[]') or p_to_pos not between p_from_pos and (select h.pos from head h) then
    raise exception 'These rows may not be written: %', p_follower using errcode = 'insufficient_privilege';
  end if;
  if (p_changes <> '[]' and not exists (select from event e where e.pos > p_from_pos and e.pos <= p_to_pos
        and split_part(e.stream, '-', 1) = of_category))
     or exists (
       select from jsonb_array_elements(p_changes) c, jsonb_array_elements(c->'upsert') r
        where not exists (select from event e where e.pos = (r->>'pos')::bigint
          and e.pos > p_from_pos and e.pos <= p_to_pos and split_part(e.stream, '-', 1) = of_category))
  then
    raise exception 'No event supports these rows: %', p_follower using errcode = 'insufficient_privilege';
  end if;
  if not move_checkpoint(p_follower, p_from_epoch, p_from_pos, p_to_epoch, p_to_pos) then return false; end if;
  perform write_rows(p_changes, 0, p_follower);
  return true;
end $$;

-- Gives a stream the timers that its events demand: [{"name", "due_at", "again"}...]. One that is right
-- stays as it is, also when it fired; with `again` it is due once more when it fired an hour ago and more.
-- False when the stream has another version by now: its append has written its timers.
create function ledger.set_timers(p_stream text, p_version int, p_timers jsonb) returns boolean
language plpgsql security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare p bigint;
begin
  perform from stream s where s.stream = p_stream and s.version = p_version for update;
  if not found then return false; end if;
  select e.pos into strict p from event e where e.stream = p_stream and e.version = p_version;
  delete from due_timer t where t.stream = p_stream and not exists (
    select from jsonb_to_recordset(p_timers) as w(name text) where w.name = t.name);
  insert into due_timer as t (stream, name, due_at, pos)
    select p_stream, w.name, w.due_at, p from jsonb_to_recordset(p_timers) as w(name text, due_at timestamptz)
    on conflict (stream, name) do update set due_at = excluded.due_at, fired_at = null, pos = excluded.pos
      where t.due_at <> excluded.due_at
         or (t.fired_at < clock_timestamp() - interval '1 hour' and exists (
              select from jsonb_to_recordset(p_timers) as w(name text, again boolean)
               where w.name = t.name and w.again));
  return true;
end $$;

-- Removes timers of streams that do not exist. Returns how many.
create function ledger.drop_stray_timers() returns bigint language plpgsql
security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare dropped bigint;
begin
  delete from due_timer t where not exists (select from stream s where s.stream = t.stream);
  get diagnostics dropped = row_count;
  return dropped;
end $$;

-- As in 0004, once it is a fact: every stream with data that is sealed under the key has an event with
-- which it is erased. A subject without sealed data is an orphan, not erased.
drop function ledger.shred_subject;
create function ledger.shred_subject(p_id uuid) returns void language plpgsql security definer
set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  if not exists (select from event s where s.key_id = p_id and s.sealed is not null) then
    if exists (select from subject s where s.subject_id = p_id) then
      raise exception 'Nothing was erased that is sealed under this key' using errcode = 'insufficient_privilege';
    end if;
    return;
  end if;
  if exists (select from event s where s.key_id = p_id and s.sealed is not null
      and not exists (select from event x join erasure_event t
        on t.type = x.type and t.category = split_part(x.stream, '-', 1) where x.stream = s.stream)) then
    raise exception 'No fact says that this subject is erased' using errcode = 'insufficient_privilege';
  end if;
  delete from subject where subject_id = p_id;
  update event set sealed = null where key_id = p_id and sealed is not null;
end $$;
revoke all on function ledger.shred_subject from public;
grant execute on function ledger.shred_subject to ledger_app;
grant select (stream, type) on ledger.event to ledger_shredder;
grant select on ledger.erasure_event to ledger_shredder;
grant create on schema ledger to ledger_shredder;
alter function ledger.shred_subject owner to ledger_shredder;
revoke create on schema ledger from ledger_shredder;

-- Roles: ledger_operator is a member of ledger_app (provisioned) and may do what operators do besides.

-- Requests messages again that were given up; null: all of them. Each gets a new id: the queue remembers the
-- jobs that were named after the old one, and ignores them. Returns how many.
create function ledger.retry_messages(p_ids bigint[], p_operator text) returns bigint language plpgsql
security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare retried bigint;
begin
  with given_up as (
    select o.id from outbox o where o.given_up_at is not null and (p_ids is null or o.id = any (p_ids)) for update),
  again as (
    update outbox o set id = default, given_up_at = null, turn = 0, due_at = clock_timestamp()
      from given_up g where o.id = g.id returning g.id)
  insert into operator_action (operator, action, concerns)
    select p_operator, 'outbox.retry', a.id::text from again a;
  get diagnostics retried = row_count;
  return retried;
end $$;

-- The sealed content of contact messages, the newest first: with this reference, or all. Each message
-- that is read is recorded.
create function ledger.read_contact_messages(p_reference text, p_most int, p_operator text)
returns table (message_id uuid, fact jsonb, recorded_ms bigint, key_id uuid, sealed bytea)
language plpgsql security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  return query
    with found as materialized (
      select i.message_id, i.fact, (extract(epoch from e.recorded_at) * 1000)::bigint as recorded_ms,
             e.key_id, e.sealed, e.pos
        from contact_inbox i join event e on e.stream = 'contact-' || i.message_id and e.version = 1
       where p_reference is null or i.reference = p_reference
       order by e.pos desc limit p_most),
    recorded as (
      insert into operator_action (operator, action, concerns)
        select p_operator, 'contact_message.read', f.message_id::text from found f where f.sealed is not null)
    select f.message_id, f.fact, f.recorded_ms, f.key_id, f.sealed from found f order by f.pos desc;
end $$;

revoke all on function ledger.write_append_rows, ledger.move_process, ledger.set_timers,
  ledger.drop_stray_timers, ledger.retry_messages, ledger.read_contact_messages from public;
grant execute on function ledger.set_timers, ledger.drop_stray_timers to ledger_app;
grant execute on function ledger.retry_messages to ledger_operator;
grant select on ledger.operator_action to ledger_operator;
grant delete on ledger.do_not_mail to ledger_operator;
grant select on ledger.erasure_event to ledger_app;

-- The inbox reads the content of contact messages by the function that records it, and wrapped keys,
-- which open nothing else without the ciphertexts.
grant usage on schema ledger to ledger_operator, ledger_verifier, ledger_inbox;
grant select on ledger.subject to ledger_inbox;
grant execute on function ledger.read_contact_messages to ledger_inbox;

-- The verifier reads every table, also those of later read models; of a subject not the wrapped key.
grant select on all tables in schema ledger to ledger_verifier;
alter default privileges in schema ledger grant select on tables to ledger_verifier;
revoke select on ledger.subject from ledger_verifier;
do $$
begin
  execute (select format('grant select (%s) on ledger.subject to ledger_verifier',
      string_agg(quote_ident(attname), ', ' order by attnum))
    from pg_attribute where attrelid = 'ledger.subject'::regclass and attnum > 0 and not attisdropped
     and attname not in ('wrapped_key', 'lookup'));
end $$;

-- Erasures that an earlier version requested by a message are timers.
insert into ledger.due_timer (stream, name, due_at, pos)
  select 'contact-' || (o.payload->>'messageId'), 'contact.erase-details', e.occurred_at, o.pos
    from ledger.outbox o join ledger.event e on e.pos = o.pos
   where o.name = 'contact.erase-details' and o.done_at is null
  on conflict do nothing;
update ledger.outbox set done_at = clock_timestamp(), given_up_at = null
 where name = 'contact.erase-details' and done_at is null;

comment on column ledger.read_model.category is 'operational: Category of the streams that it is built from';
comment on column ledger.read_model.stream_column is 'operational: Column with the id of the stream that a row belongs to';

comment on table ledger.erasure_event is 'Events with which personal data is erased, as the code declares them. Kept: always';
comment on column ledger.erasure_event.category is 'operational: Category of the streams';
comment on column ledger.erasure_event.type is 'operational: Type of the event';

comment on table ledger.operator_action is 'What operators did that leaves no event. Kept: for the life of the ledger';
comment on column ledger.operator_action.id is 'operational: Identifies the action';
comment on column ledger.operator_action.at is 'operational: When it was done';
comment on column ledger.operator_action.role is 'operational: Role of the database that did it';
comment on column ledger.operator_action.operator is 'pseudonym: Account of the operator on the machine where the command ran';
comment on column ledger.operator_action.action is 'operational: What was done';
comment on column ledger.operator_action.concerns is 'pseudonym: Id of the contact message or of the outbox message';
