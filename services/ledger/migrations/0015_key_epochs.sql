-- Keys of data subjects are wrapped under the key of an epoch, which is kept outside the database and is
-- destroyed some weeks later: dead rows, the write-ahead log and backups cannot be opened after that.
-- (Postgres 17 or newer: MAINTAIN.)

do $$ begin
  if not exists (select from pg_roles where rolname = 'ledger_keeper') then
    raise exception 'The role ledger_keeper does not exist. Provision the roles before migrating the ledger.'
      using errcode = 'undefined_object';
  end if;
end $$;

-- Epochs whose key exists. The foreign key of ledger.subject keeps one for as long as a row names it.
create table ledger.key_epoch (
  key_id    text        primary key check (key_id ~ '^[0-9a-f]{8}$'),
  used_from timestamptz not null,
  proof     bytea,       -- a known text under this key; null for a wrapping key, which wrapped directly once
  lost_at   timestamptz  -- when an operator accepted that the key is lost
);

-- What remains of an epoch: the evidence that its key was destroyed.
create table ledger.ended_epoch (
  key_id       text        primary key,
  used_from    timestamptz not null,
  ended_at     timestamptz not null default clock_timestamp(),
  destroyed_at timestamptz
);

-- The keys of the hashes by which addresses are found, each with a hash of a known text.
create table ledger.lookup_key (
  key_id    text        primary key check (key_id ~ '^[0-9a-f]{8}$'),
  used_from timestamptz not null default clock_timestamp(),
  proof     bytea       not null,
  lost_at   timestamptz
);

-- Work that is due on the tables themselves.
create table ledger.upkeep (
  task  text        primary key check (task in ('vacuum', 'vacuuming')),
  since timestamptz not null default clock_timestamp()
);

insert into ledger.key_epoch (key_id, used_from)
  select wrapping_key_id, min(created_at) from ledger.subject group by wrapping_key_id;
alter table ledger.subject
  add foreign key (wrapping_key_id) references ledger.key_epoch,
  add column lookup_key_id text;  -- null: the first key that the ledger had
create index subject_per_epoch on ledger.subject (wrapping_key_id);

-- The first keys of a ledger, and those after a loss that an operator has accepted; a key that was found
-- again is not lost. What another process has written meanwhile stays.
create function ledger.begin_keys(p_epoch text, p_used_from timestamptz, p_proof bytea,
  p_lookup_key text, p_lookup_proof bytea)
returns void language plpgsql security definer
set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  perform pg_advisory_xact_lock(hashtext('ledger.begin_keys'));
  if not exists (select from key_epoch where proof is not null and lost_at is null) then
    insert into key_epoch (key_id, used_from, proof) values (p_epoch, p_used_from, p_proof)
      on conflict (key_id) do update set lost_at = null;
  end if;
  if not exists (select from lookup_key where lost_at is null) then
    insert into lookup_key (key_id, proof) values (p_lookup_key, p_lookup_proof)
      on conflict (key_id) do update set lost_at = null;
  end if;
end $$;

-- A new lookup key: only together with the proof of one that the ledger knows.
create function ledger.follow_lookup_key(p_key_id text, p_proof bytea, p_former_proof bytea)
returns void language sql security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
  insert into lookup_key (key_id, proof)
    select p_key_id, p_proof from lookup_key k where k.proof = p_former_proof and k.lost_at is null
    on conflict do nothing $$;

-- Hashes made with a former key become those of the present one, now that the address is known.
create function ledger.move_lookups(p_lookup bytea, p_lookup_key_id text, p_former bytea[])
returns void language plpgsql set search_path = ledger, pg_temp as $$
begin
  update subject s set lookup = p_lookup, lookup_key_id = p_lookup_key_id
   where s.lookup = any (p_former) and not (s.one_per_address and exists (
     select from subject t where t.kind = s.kind and t.lookup = p_lookup and t.one_per_address));
exception when unique_violation then
  -- A process with the former key alone was faster; the next call moves what is left.
end $$;

drop function ledger.open_subject, ledger.new_subject;

-- As before, with the lookups of former keys: a subject that is found by one of them is moved.
create function ledger.open_subject(p_kind text, p_id uuid, p_lookup bytea, p_lookup_key_id text,
  p_former bytea[], p_wrapped_key bytea, p_wrapping_key_id text)
returns setof ledger.subject language plpgsql security definer
set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  if cardinality(p_former) > 0 then perform move_lookups(p_lookup, p_lookup_key_id, p_former); end if;
  loop
    return query select * from subject s where s.kind = p_kind and s.lookup = p_lookup and s.one_per_address;
    exit when found;
    return query insert into subject
        (subject_id, kind, lookup, lookup_key_id, wrapped_key, wrapping_key_id, one_per_address)
      values (p_id, p_kind, p_lookup, p_lookup_key_id, p_wrapped_key, p_wrapping_key_id, true)
      on conflict (kind, lookup) where one_per_address do nothing returning *;
    exit when found;
  end loop;
end $$;

create function ledger.new_subject(p_kind text, p_id uuid, p_lookup bytea, p_lookup_key_id text,
  p_former bytea[], p_wrapped_key bytea, p_wrapping_key_id text)
returns setof ledger.subject language plpgsql security definer
set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  if cardinality(p_former) > 0 then perform move_lookups(p_lookup, p_lookup_key_id, p_former); end if;
  insert into subject (subject_id, kind, lookup, lookup_key_id, wrapped_key, wrapping_key_id)
    values (p_id, p_kind, p_lookup, p_lookup_key_id, p_wrapped_key, p_wrapping_key_id)
    on conflict (subject_id) do update
      set lookup = excluded.lookup, lookup_key_id = excluded.lookup_key_id
      where subject.kind = p_kind and subject.lookup <> excluded.lookup
        and not exists (select from event e where e.key_id = p_id);
  return query select * from subject s where s.subject_id = p_id and s.kind = p_kind and not s.one_per_address;
  if not found then raise exception 'The subject is of another kind' using errcode = 'unique_violation'; end if;
end $$;

-- For the keeper: a new epoch, whose key is on disk by now.
create function ledger.begin_epoch(p_key_id text, p_used_from timestamptz, p_proof bytea)
returns void language sql security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
  insert into key_epoch (key_id, used_from, proof) values (p_key_id, p_used_from, p_proof)
    on conflict do nothing $$;

-- Keys of subjects under the newest epoch, where they are what the caller has read.
-- p_rows: [{"id": uuid, "old": hex, "new": hex}...].
create function ledger.rewrap_subjects(p_key_id text, p_rows jsonb)
returns int language plpgsql security definer
set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare moved int;
begin
  update subject s set wrapped_key = decode(r.new, 'hex'), wrapping_key_id = p_key_id
    from jsonb_to_recordset(p_rows) as r(id uuid, old text, new text)
   where s.subject_id = r.id and s.wrapped_key = decode(r.old, 'hex')
     and p_key_id = (select e.key_id from key_epoch e where e.proof is not null order by e.used_from desc limit 1);
  get diagnostics moved = row_count;
  return moved;
end $$;

-- Takes an epoch out of use for good, before its key is destroyed. False while a row names it, and for the
-- newest one. The foreign key decides: no row that names it can come into being at the same time.
create function ledger.end_epoch(p_key_id text)
returns boolean language plpgsql security definer
set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare used timestamptz;
begin
  delete from key_epoch e where e.key_id = p_key_id
     and (e.proof is null or e.used_from < (select max(l.used_from) from key_epoch l where l.proof is not null))
    returning e.used_from into used;
  if used is null then return false; end if;
  insert into ended_epoch (key_id, used_from) values (p_key_id, used);
  return true;
exception when foreign_key_violation then return false;
end $$;

create function ledger.note_destroyed_epoch(p_key_id text)
returns void language sql security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
  update ended_epoch set destroyed_at = clock_timestamp() where key_id = p_key_id and destroyed_at is null $$;

-- Removed keys and ciphertexts stay on the pages of their tables until a vacuum, which is therefore due
-- soon. A removal while one runs makes the next one due.
create function ledger.note_removal() returns trigger language plpgsql security definer
set search_path = ledger, pg_temp as $$
begin
  if exists (select from gone) then insert into upkeep (task) values ('vacuum') on conflict do nothing; end if;
  return null;
end $$;
create trigger removal after delete on ledger.subject referencing old table as gone
  for each statement execute function ledger.note_removal();

create function ledger.begin_vacuum() returns boolean language plpgsql security definer
set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  delete from upkeep where task = 'vacuum';
  if found then insert into upkeep (task) values ('vacuuming') on conflict do nothing; end if;
  return exists (select from upkeep where task = 'vacuuming');
end $$;

create function ledger.end_vacuum() returns void language sql security definer
set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
  delete from upkeep where task = 'vacuuming' $$;

-- An operator accepts that keys are lost: what is wrapped under them is not opened any more, and an
-- address leads to a new subject. Returns the number of subjects that are lost.
create function ledger.accept_lost_epochs(p_key_ids text[]) returns bigint language plpgsql security definer
set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  update key_epoch set lost_at = clock_timestamp() where key_id = any (p_key_ids) and lost_at is null;
  update subject set one_per_address = false where wrapping_key_id = any (p_key_ids) and one_per_address;
  return (select count(*) from subject where wrapping_key_id = any (p_key_ids));
end $$;

create function ledger.accept_lost_lookup_keys() returns void language sql security definer
set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
  update lookup_key set lost_at = clock_timestamp() where lost_at is null $$;

revoke all on function ledger.accept_lost_epochs, ledger.accept_lost_lookup_keys, ledger.begin_keys, ledger.follow_lookup_key, ledger.move_lookups, ledger.open_subject,
  ledger.new_subject, ledger.begin_epoch, ledger.rewrap_subjects, ledger.end_epoch,
  ledger.note_destroyed_epoch, ledger.note_removal, ledger.begin_vacuum, ledger.end_vacuum from public;
grant select on ledger.key_epoch, ledger.ended_epoch, ledger.lookup_key to ledger_app;
grant execute on function ledger.begin_keys, ledger.follow_lookup_key, ledger.open_subject,
  ledger.new_subject to ledger_app;

-- The worker's role for keys: it re-wraps, ends epochs and vacuums. The service cannot.
grant usage on schema ledger to ledger_keeper;
grant select on ledger.subject, ledger.key_epoch, ledger.ended_epoch, ledger.lookup_key to ledger_keeper;
grant maintain on ledger.subject, ledger.event to ledger_keeper;
grant execute on function ledger.begin_epoch, ledger.rewrap_subjects, ledger.end_epoch,
  ledger.note_destroyed_epoch, ledger.begin_vacuum, ledger.end_vacuum to ledger_keeper;

-- Roles of operators: the inbox compares its keys with those of the ledger before it opens anything.
do $$ begin
  if exists (select from pg_roles where rolname = 'ledger_inbox') then
    grant select on ledger.key_epoch, ledger.lookup_key to ledger_inbox;
  end if;
  if exists (select from pg_roles where rolname = 'ledger_operator') then
    grant execute on function ledger.accept_lost_epochs, ledger.accept_lost_lookup_keys to ledger_operator;
  end if;
end $$;

comment on table ledger.key_epoch is 'Keys outside the database under which keys of data subjects are wrapped. Kept: until the key is destroyed';
comment on column ledger.key_epoch.key_id is 'operational: Which key';
comment on column ledger.key_epoch.used_from is 'operational: From when new data subjects were wrapped under it';
comment on column ledger.key_epoch.proof is 'operational: A known text under the key, to notice a wrong one';
comment on column ledger.key_epoch.lost_at is 'operational: When an operator accepted its loss';

comment on table ledger.ended_epoch is 'Evidence that the key of an epoch was destroyed. Kept: for the life of the ledger';
comment on column ledger.ended_epoch.key_id is 'operational: Which key';
comment on column ledger.ended_epoch.used_from is 'operational: From when it was used';
comment on column ledger.ended_epoch.ended_at is 'operational: When the last data subject was re-wrapped and the key taken out of use';
comment on column ledger.ended_epoch.destroyed_at is 'operational: When it was destroyed; empty until then';

comment on table ledger.lookup_key is 'Keys of the hashes by which addresses are found. Kept: for the life of the ledger';
comment on column ledger.lookup_key.key_id is 'operational: Which key';
comment on column ledger.lookup_key.used_from is 'operational: Since when it is used';
comment on column ledger.lookup_key.proof is 'operational: Keyed hash of a known text, to notice a wrong key';
comment on column ledger.lookup_key.lost_at is 'operational: When an operator accepted its loss';

comment on table ledger.upkeep is 'Work that is due on the tables. Kept: until it is done';
comment on column ledger.upkeep.task is 'operational: What is due';
comment on column ledger.upkeep.since is 'operational: Since when';

comment on column ledger.subject.wrapped_key is 'pseudonym: Key of the data subject, encrypted under the key of an epoch, which is not in the database';
comment on column ledger.subject.wrapping_key_id is 'operational: Epoch whose key encrypts the key';
comment on column ledger.subject.lookup_key_id is 'operational: Key of the keyed hash; empty for the first one';
