-- Deliveries of newsletter issues, as in 0007, on read models with arrays. A delivery is one issue to
-- one subscriber. Tables of read models are made after the migrations: only bodies of plpgsql functions
-- may name them, and no row types.

update ledger.outbox set name = 'contact.erase-details' where name = 'contact.erase-letter';

create function ledger.store_issue_content(p_content text) returns text language plpgsql
security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare h text := encode(sha256(convert_to(p_content, 'UTF8')), 'hex');
begin
  insert into issue_content (content_hash, content) values (h, p_content) on conflict do nothing;
  return h;
end $$;

-- Begins a part. With the first one of an issue its deliveries are listed: to every subscriber who is
-- confirmed at that moment and asked for it. first: it was not begun before; again: it was, and no
-- delivery was settled since; progressed: it was interrupted after some deliveries. (A message has a
-- limited number of attempts; interruptions after progress must not use them up.)
create function ledger.begin_issue_part(p_issue uuid, p_part int) returns text language plpgsql
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
  insert into issue_part (issue_id, part, begun_at) values (p_issue, p_part, clock_timestamp())
    on conflict (issue_id, part) do update set begun_at = excluded.begun_at;
  return 'first';
end $$;

-- Takes a delivery for the rest of the transaction; none when all that are due are settled or taken.
create function ledger.take_delivery(p_issue uuid) returns setof uuid language sql volatile
security definer set search_path = ledger, pg_temp as $$
  select d.subscriber_id from issue_delivery d
   where d.issue_id = p_issue and d.state = 'waiting' and d.due_at <= statement_timestamp()
   order by d.due_at, d.subscriber_id limit 1 for update skip locked $$;

-- Records the final state of a delivery, once.
create function ledger.settle_delivery(p_issue uuid, p_subscriber uuid, p_state text)
returns void language plpgsql security definer
set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  update issue_delivery d set state = p_state, settled_at = clock_timestamp()
   where d.issue_id = p_issue and d.subscriber_id = p_subscriber and d.state = 'waiting';
  if not found then raise exception 'The delivery is not waiting'; end if;
end $$;

-- Delays a delivery by 10 minutes, 20, 40 and so on up to six hours; after twelve tries, about two
-- days, it counts as refused.
create function ledger.delay_delivery(p_issue uuid, p_subscriber uuid) returns void language plpgsql
security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  update issue_delivery d
     set tries = d.tries + 1,
         due_at = clock_timestamp() + least(interval '10 min' * power(2, d.tries), interval '6 h'),
         state = case when d.tries >= 11 then 'refused' else 'waiting' end,
         settled_at = case when d.tries >= 11 then clock_timestamp() end
   where d.issue_id = p_issue and d.subscriber_id = p_subscriber and d.state = 'waiting';
  if not found then raise exception 'The delivery is not waiting'; end if;
end $$;

create function ledger.request_issue_part(p_issue uuid, p_part int, p_due timestamptz) returns void
language plpgsql set search_path = ledger, pg_temp as $$
begin
  insert into outbox (pos, name, payload, due_at)
    select i.pos, 'newsletter.deliver-issue',
           jsonb_build_object('issueId', p_issue, 'part', p_part), p_due
      from newsletter_issue i where i.issue_id = p_issue;
end $$;

-- Requests the part after this one, unless no delivery waits, for when the next delivery is due. May
-- be repeated: a part is requested once. Returns how many deliveries wait.
create function ledger.continue_issue(p_issue uuid, p_part int) returns bigint language plpgsql
security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare waiting bigint; due timestamptz;
begin
  select count(*), min(d.due_at) into waiting, due from issue_delivery d
   where d.issue_id = p_issue and d.state = 'waiting';
  if waiting > 0 then
    insert into issue_part (issue_id, part) values (p_issue, p_part + 1) on conflict do nothing;
    if found then perform request_issue_part(p_issue, p_part + 1, greatest(due, clock_timestamp())); end if;
  end if;
  return waiting;
end $$;

-- Continues an issue whose delivery was given up. False when it is delivered or under way.
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
  perform request_issue_part(p_issue, next, clock_timestamp());
  return true;
end $$;

revoke all on function ledger.store_issue_content, ledger.begin_issue_part, ledger.take_delivery,
  ledger.settle_delivery, ledger.delay_delivery, ledger.request_issue_part, ledger.continue_issue,
  ledger.resume_issue from public;
grant execute on function ledger.store_issue_content, ledger.begin_issue_part, ledger.take_delivery,
  ledger.settle_delivery, ledger.delay_delivery, ledger.continue_issue, ledger.resume_issue to ledger_app;
