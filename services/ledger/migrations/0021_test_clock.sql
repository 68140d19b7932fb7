-- A test clock: one row holds how far ahead of the server's clock the time of the domain is. Only the
-- owner of the database writes it, and only where the product runs for development; everywhere else the
-- table is empty. Keys and their epochs keep the real time, and so does what was sealed for no event.
create table ledger.test_clock (
  one   boolean primary key default true check (one),
  ahead interval not null check (ahead >= interval '0')
);
grant select on ledger.test_clock to ledger_app, ledger_operator, ledger_inbox, ledger_keeper;

-- The time of the domain. In conditions on rows it is asked once: `(select ledger.now())`.
create function ledger.now() returns timestamptz language plpgsql volatile
set search_path = pg_catalog as $$
begin
  return clock_timestamp() + coalesce((select ahead from ledger.test_clock), interval '0');
end $$;
revoke all on function ledger.now() from public;
grant execute on function ledger.now() to ledger_app, ledger_operator, ledger_inbox, ledger_keeper;

alter table ledger.outbox alter column added_at set default ledger.now();
alter table ledger.outbox alter column due_at set default ledger.now();
alter table ledger.issue_delivery alter column due_at set default ledger.now();
alter table ledger.mailbox_mail alter column counted_at set default ledger.now();

-- What follows is as before but for the clock.

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
      v := coalesce(v, 0); t := ledger.now(); first_position := h.pos + 1;
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

create or replace function ledger.set_timers(p_stream text, p_version int, p_timers jsonb) returns boolean
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
         or (t.fired_at < ledger.now() - interval '1 hour' and exists (
              select from jsonb_to_recordset(p_timers) as w(name text, again boolean)
               where w.name = t.name and w.again));
  return true;
end $$;

create or replace function ledger.retry_messages(p_ids bigint[], p_operator text) returns bigint language plpgsql
security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare retried bigint;
begin
  with given_up as (
    select o.id from outbox o where o.given_up_at is not null and (p_ids is null or o.id = any (p_ids)) for update),
  again as (
    update outbox o set id = default, given_up_at = null, turn = 0, due_at = ledger.now()
      from given_up g where o.id = g.id returning g.id)
  insert into operator_action (operator, action, concerns)
    select p_operator, 'outbox.retry', a.id::text from again a;
  get diagnostics retried = row_count;
  return retried;
end $$;

create or replace function ledger.begin_issue_part(p_issue uuid, p_part int) returns text language plpgsql
security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare i record; begun timestamptz;
begin
  select * into strict i from newsletter_issue n where n.issue_id = p_issue for update;
  select p.begun_at into begun from issue_part p where p.issue_id = p_issue and p.part = p_part;
  if begun is not null then
    return case when exists (select from issue_delivery d
        where d.issue_id = p_issue and d.settled_at > begun) then 'progressed' else 'again' end;
  end if;
  if not exists (select from issue_part p where p.issue_id = p_issue and p.begun_at is not null) then
    insert into issue_delivery (issue_id, subscriber_id)
      select p_issue, s.subscriber_id from newsletter_subscriber s
       where s.status = 'confirmed' and s.frequency = any (i.frequencies) and s.topics && i.topics
      on conflict do nothing;
  end if;
  insert into issue_part (issue_id, part, begun_at) values (p_issue, p_part, ledger.now())
    on conflict (issue_id, part) do update set begun_at = excluded.begun_at;
  return 'first';
end $$;

create or replace function ledger.continue_issue(p_issue uuid, p_part int) returns bigint language plpgsql
security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare waiting bigint; due timestamptz;
begin
  select count(*), min(d.due_at) into waiting, due from issue_delivery d
   where d.issue_id = p_issue and d.state = 'waiting';
  if waiting > 0 then
    insert into issue_part (issue_id, part) values (p_issue, p_part + 1) on conflict do nothing;
    if found then perform request_issue_part(p_issue, p_part + 1, greatest(due, ledger.now())); end if;
  end if;
  return waiting;
end $$;

create or replace function ledger.resume_issue(p_issue uuid) returns boolean language plpgsql
security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare next int;
begin
  perform from newsletter_issue i where i.issue_id = p_issue for update;
  if not found
     or exists (select from event e where e.stream = 'issue-' || p_issue and e.type = 'IssueDelivered')
     or exists (select from outbox o where o.name = 'newsletter.deliver-issue'
          and o.payload->>'issueId' = p_issue::text and o.done_at is null and o.given_up_at is null)
  then return false; end if;
  select coalesce(max(p.part), 1) + 1 into next from issue_part p where p.issue_id = p_issue;
  insert into issue_part (issue_id, part) values (p_issue, next);
  perform request_issue_part(p_issue, next, ledger.now());
  return true;
end $$;

create or replace function ledger.settle_delivery(p_issue uuid, p_subscriber uuid, p_state text)
returns void language plpgsql security definer
set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  update issue_delivery d set state = p_state, settled_at = ledger.now()
   where d.issue_id = p_issue and d.subscriber_id = p_subscriber and d.state = 'waiting';
  if not found then raise exception 'The delivery is not waiting'; end if;
end $$;

create or replace function ledger.delay_delivery(p_issue uuid, p_subscriber uuid) returns void language plpgsql
security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  update issue_delivery d
     set tries = d.tries + 1,
         due_at = ledger.now() + least(interval '10 min' * power(2, d.tries), interval '6 h'),
         state = case when d.tries >= 11 then 'refused' else 'waiting' end,
         settled_at = case when d.tries >= 11 then ledger.now() end
   where d.issue_id = p_issue and d.subscriber_id = p_subscriber and d.state = 'waiting';
  if not found then raise exception 'The delivery is not waiting'; end if;
end $$;

create or replace function ledger.doubt_delivery(p_issue uuid, p_subscriber uuid) returns void language plpgsql
security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  update issue_delivery d
     set tries = 11, due_at = ledger.now() + interval '4 h',
         state = case when d.tries >= 11 then 'refused' else 'waiting' end,
         settled_at = case when d.tries >= 11 then ledger.now() end
   where d.issue_id = p_issue and d.subscriber_id = p_subscriber and d.state = 'waiting';
  if not found then raise exception 'The delivery is not waiting'; end if;
end $$;

create or replace function ledger.admit_mail(p_mailbox bytea, p_mail text, p_most int) returns text
language plpgsql security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('mailbox ' || encode(p_mailbox, 'hex'), 0));
  if exists (select from do_not_mail d where d.mailbox = p_mailbox) then return 'do_not_mail'; end if;
  if exists (select from mailbox_mail m where m.mailbox = p_mailbox and m.mail = p_mail) then
    return 'admitted';
  end if;
  if p_most <= (select count(*) from mailbox_mail m where m.mailbox = p_mailbox
                   and m.counted_at > ledger.now() - interval '1 day') then return 'used_up'; end if;
  insert into mailbox_mail (mailbox, mail) values (p_mailbox, p_mail);
  return 'admitted';
end $$;

create or replace function ledger.forget_mailbox_mails() returns bigint
language plpgsql security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare forgotten bigint;
begin
  delete from mailbox_mail where counted_at < ledger.now() - interval '1 day';
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;

comment on table ledger.test_clock is 'How far the clock of a development instance was moved; empty elsewhere. Kept: as long as the instance';
comment on column ledger.test_clock.one is 'operational: Makes it one row';
comment on column ledger.test_clock.ahead is 'operational: How far the time of the domain is ahead';
