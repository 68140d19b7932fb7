-- Issues of the newsletter: what is sent, to whom, and how far that has come.

-- What was written, by its hash, so that nothing can be exchanged after the release. No personal data.
create table ledger.issue_content (
  content_hash text        primary key,  -- SHA-256 of content as UTF-8, in hexadecimal
  content      text        not null,     -- canonical JSON
  kept_at      timestamptz not null default clock_timestamp()
);

-- Released issues; written with the append, since their delivery begins with it. topics and
-- frequencies: the names, separated by commas.
create table ledger.newsletter_issue (
  issue_id     uuid   primary key,
  slug         text   not null unique,
  topics       text   not null,
  frequencies  text   not null,
  content_hash text   not null,
  pos          bigint not null
);

-- An issue is delivered in parts of about a minute, each a message of the outbox, so that no message
-- stays locked for hours. A part is asked for once.
create table ledger.issue_part (
  issue_id uuid        not null,
  part     int         not null check (part > 0),
  begun_at timestamptz,  -- the first time
  primary key (issue_id, part)
);

-- One letter of an issue. A letter that is delayed by the reader's mail server waits until due_at.
create table ledger.issue_delivery (
  issue_id      uuid        not null,
  subscriber_id uuid        not null,
  state         text        not null default 'waiting'
    check (state in ('waiting', 'sent', 'skipped', 'refused')),
  tries         int         not null default 0,
  due_at        timestamptz not null default clock_timestamp(),
  settled_at    timestamptz,
  primary key (issue_id, subscriber_id),
  check ((state = 'waiting') = (settled_at is null))
);
create index on ledger.issue_delivery (issue_id, due_at, subscriber_id) where state = 'waiting';

create function ledger.keep_issue_content(p_content text) returns text language plpgsql
security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare h text := encode(sha256(convert_to(p_content, 'UTF8')), 'hex');
begin
  insert into issue_content (content_hash, content) values (h, p_content) on conflict do nothing;
  return h;
end $$;

-- Begins a part. With the first one of an issue its readers are listed: who is confirmed at that
-- moment and wants it. first: it was not begun before; again: it was, and no letter has been settled
-- since; progressed: it was interrupted after some letters. (A message has a limited number of turns;
-- interruptions after progress must not use them up.)
create function ledger.begin_issue_part(p_issue uuid, p_part int) returns text language plpgsql
security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare i newsletter_issue; begun timestamptz;
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
       where s.confirmed and s.frequency = any (string_to_array(i.frequencies, ','))
         and string_to_array(s.topics, ',') && string_to_array(i.topics, ',')
      on conflict do nothing;
  end if;
  insert into issue_part (issue_id, part, begun_at) values (p_issue, p_part, clock_timestamp())
    on conflict (issue_id, part) do update set begun_at = excluded.begun_at;
  return 'first';
end $$;

-- Takes a letter for the rest of the transaction; none when all that are due are settled or taken.
create function ledger.take_letter(p_issue uuid) returns setof uuid language sql volatile
security definer set search_path = ledger, pg_temp as $$
  select d.subscriber_id from issue_delivery d
   where d.issue_id = p_issue and d.state = 'waiting' and d.due_at <= statement_timestamp()
   order by d.due_at, d.subscriber_id limit 1 for update skip locked $$;

-- Says what became of a letter, once.
create function ledger.settle_letter(p_issue uuid, p_subscriber uuid, p_state text)
returns void language plpgsql security definer
set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  update issue_delivery d set state = p_state, settled_at = clock_timestamp()
   where d.issue_id = p_issue and d.subscriber_id = p_subscriber and d.state = 'waiting';
  if not found then raise exception 'The letter is not waiting'; end if;
end $$;

-- Puts a letter back, for 10 minutes, 20, 40 and so on up to six hours; after twelve tries, about
-- two days, it counts as refused.
create function ledger.delay_letter(p_issue uuid, p_subscriber uuid) returns void language plpgsql
security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  update issue_delivery d
     set tries = d.tries + 1,
         due_at = clock_timestamp() + least(interval '10 min' * power(2, d.tries), interval '6 h'),
         state = case when d.tries >= 11 then 'refused' else 'waiting' end,
         settled_at = case when d.tries >= 11 then clock_timestamp() end
   where d.issue_id = p_issue and d.subscriber_id = p_subscriber and d.state = 'waiting';
  if not found then raise exception 'The letter is not waiting'; end if;
end $$;

-- Asks for the part after this one, unless no letter waits; for when the next letter is due. May be
-- repeated: a part is asked for once. Answers how many letters wait.
create function ledger.continue_issue(p_issue uuid, p_part int) returns bigint language plpgsql
security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare waiting bigint; due timestamptz;
begin
  select count(*), min(d.due_at) into waiting, due from issue_delivery d
   where d.issue_id = p_issue and d.state = 'waiting';
  if waiting > 0 then
    insert into issue_part (issue_id, part) values (p_issue, p_part + 1) on conflict do nothing;
    if found then perform ask_for_part(p_issue, p_part + 1, greatest(due, clock_timestamp())); end if;
  end if;
  return waiting;
end $$;

create function ledger.ask_for_part(p_issue uuid, p_part int, p_due timestamptz) returns void
language sql set search_path = ledger, pg_temp as $$
  insert into outbox (pos, name, payload, due_at)
    select i.pos, 'newsletter.deliver-issue',
           jsonb_build_object('issueId', p_issue, 'part', p_part), p_due
      from newsletter_issue i where i.issue_id = p_issue $$;

-- For an issue whose delivery was given up: goes on with it. False when it is delivered or on its way.
create function ledger.resume_issue(p_issue uuid) returns boolean language plpgsql
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
  perform ask_for_part(p_issue, next, clock_timestamp());
  return true;
end $$;

select ledger.register_table('newsletter_issue', 'inline', 'newsletter_issue');

revoke all on function ledger.keep_issue_content, ledger.begin_issue_part, ledger.take_letter,
  ledger.settle_letter, ledger.delay_letter, ledger.continue_issue, ledger.ask_for_part,
  ledger.resume_issue from public;
grant select on ledger.issue_content, ledger.newsletter_issue, ledger.issue_delivery to ledger_app;
grant execute on function ledger.keep_issue_content, ledger.begin_issue_part, ledger.take_letter,
  ledger.settle_letter, ledger.delay_letter, ledger.continue_issue, ledger.resume_issue to ledger_app;
