-- Whose personal data is sealed, and under which key. Not part of the chain: rows come and go.

do $$ begin
  if not exists (select from pg_roles where rolname = 'ledger_shredder') then
    raise exception 'The role ledger_shredder does not exist. Provision the roles before migrating the ledger.'
      using errcode = 'undefined_object';
  end if;
end $$;

create table ledger.subject (
  subject_id      uuid        primary key,  -- also event.key_id
  kind            text        not null check (kind in ('subscriber', 'sender')),
  lookup          bytea       not null check (length(lookup) = 32),  -- keyed hash of the address
  wrapped_key     bytea       not null,     -- the subject's key under the wrapping key
  wrapping_key_id text        not null check (wrapping_key_id ~ '^[0-9a-f]{8}$'),
  created_at      timestamptz not null default clock_timestamp()
);
create unique index on ledger.subject (lookup) where kind = 'subscriber';
create index on ledger.subject (lookup, created_at);

-- So that forgetting somebody does not read all events.
create index on ledger.event (key_id) where sealed is not null;

-- Neither of the next two waits for the disk: the event that follows does, and with it is written all
-- that came before. Without an event a subject is an orphan, and no loss.

-- The subscriber with this lookup, made with the given id and key if there is none. Of several at
-- once, all get the same; when the one there is shredded meanwhile, a new one is made.
create function ledger.open_subscriber(p_id uuid, p_lookup bytea, p_wrapped_key bytea, p_wrapping_key_id text)
returns setof ledger.subject language plpgsql security definer
set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  loop
    return query select * from subject s where s.lookup = p_lookup and s.kind = 'subscriber';
    exit when found;
    return query insert into subject values (p_id, 'subscriber', p_lookup, p_wrapped_key, p_wrapping_key_id)
      on conflict (lookup) where kind = 'subscriber' do nothing returning *;
    exit when found;
  end loop;
end $$;

-- A sender; the one that is there when the id was used before. Its lookup is settled with its first
-- event: until then a repetition may come with another address.
create function ledger.new_sender(p_id uuid, p_lookup bytea, p_wrapped_key bytea, p_wrapping_key_id text)
returns setof ledger.subject language plpgsql security definer
set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  insert into subject values (p_id, 'sender', p_lookup, p_wrapped_key, p_wrapping_key_id)
    on conflict (subject_id) do update set lookup = excluded.lookup
      where subject.kind = 'sender' and subject.lookup <> excluded.lookup
        and not exists (select from event e where e.key_id = p_id);
  return query select * from subject s where s.subject_id = p_id and s.kind = 'sender';
  if not found then raise exception 'The subject is no sender' using errcode = 'unique_violation'; end if;
end $$;

-- Forgets somebody: without the key nobody can read what was sealed, and it is dropped as well; its
-- hash stays in the chain. The function belongs to a role that can do this and nothing else.
create function ledger.shred_subject(p_id uuid) returns void language plpgsql security definer
set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  delete from subject where subject_id = p_id;
  update event set sealed = null where key_id = p_id and sealed is not null;
end $$;

revoke all on function ledger.open_subscriber, ledger.new_sender, ledger.shred_subject from public;
grant execute on function ledger.open_subscriber, ledger.new_sender, ledger.shred_subject to ledger_app;
grant select on ledger.subject to ledger_app;

grant usage on schema ledger to ledger_shredder;
grant select (subject_id), delete on ledger.subject to ledger_shredder;
grant select (key_id, sealed), update (sealed) on ledger.event to ledger_shredder;
-- Whoever takes over a function must for that moment be allowed to create in its schema.
grant create on schema ledger to ledger_shredder;
alter function ledger.shred_subject owner to ledger_shredder;
revoke create on schema ledger from ledger_shredder;
