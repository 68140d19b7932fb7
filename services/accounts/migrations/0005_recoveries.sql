-- An account whose second factors are lost: an operator requests a recovery, the holder can refuse it until it
-- is due, and only then the factors are removed. The service cannot request one, nor complete it early.

-- Outlives the account.
create table accounts.recovery (
  recovery_id  uuid primary key,
  account_id   uuid not null,
  operator     text not null,
  requested_at timestamptz not null,
  due_at       timestamptz not null check (due_at >= requested_at + interval '24 hours'),
  reminded_at  timestamptz,
  ended_at     timestamptz,
  outcome      text check (outcome in ('completed', 'refused', 'factor_used', 'withdrawn')),
  roles_lost   text[] not null default '{}',
  check ((ended_at is null) = (outcome is null))
);
create unique index recovery_under_way on accounts.recovery (account_id) where ended_at is null;

alter table accounts.mail_token drop constraint mail_token_purpose_check;
alter table accounts.mail_token add constraint mail_token_purpose_check
  check (purpose in ('invitation', 'registration', 'reset', 'email', 'recovery'));

-- The holder refuses the recovery of an account, or has shown that a factor is not lost.
create function accounts.refuse_recovery(account_id uuid, outcome text, at timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog as $$
begin
  if refuse_recovery.outcome not in ('refused', 'factor_used') then
    raise exception 'A recovery is not refused as %', refuse_recovery.outcome;
  end if;
  update accounts.recovery r set ended_at = at, outcome = refuse_recovery.outcome
   where r.account_id = refuse_recovery.account_id and r.ended_at is null;
  return found;
end $$;

-- Removes the factors of the account, ends its sign-in sessions and takes back its roles of staff, once the
-- recovery is due and was not refused. False when there is nothing to complete.
create function accounts.complete_recovery(recovery_id uuid, at timestamptz) returns boolean
language plpgsql security definer set search_path = pg_catalog as $$
#variable_conflict use_column
declare
  r record;
  lost text[];
begin
  select * into r from accounts.recovery o
   where o.recovery_id = complete_recovery.recovery_id and o.ended_at is null and o.due_at <= at for update;
  if not found then return false; end if;
  select array_remove(a.roles, 'holder') into lost
    from accounts.account a where a.account_id = r.account_id and a.status = 'open' for update;
  if not found then
    update accounts.recovery o set ended_at = at, outcome = 'withdrawn' where o.recovery_id = r.recovery_id;
    return false;
  end if;
  delete from accounts.totp t where t.account_id = r.account_id;
  delete from accounts.passkey p where p.account_id = r.account_id;
  delete from accounts.recovery_code c where c.account_id = r.account_id;
  delete from accounts.challenge c where c.account_id = r.account_id;
  delete from accounts.sign_in_session s where s.account_id = r.account_id;
  update accounts.account a set roles = '{holder}' where a.account_id = r.account_id;
  insert into accounts.role_change (change_id, account_id, role, granted, operator, changed_at)
  select gen_random_uuid(), r.account_id, role, false, r.operator, at from unnest(lost) as role;
  update accounts.recovery o set ended_at = at, outcome = 'completed', roles_lost = lost
   where o.recovery_id = r.recovery_id;
  return true;
end $$;

revoke all on function accounts.refuse_recovery(uuid, text, timestamptz) from public;
revoke all on function accounts.complete_recovery(uuid, timestamptz) from public;
grant execute on function accounts.refuse_recovery(uuid, text, timestamptz) to accounts_app;
grant execute on function accounts.complete_recovery(uuid, timestamptz) to accounts_app;
grant select, update (reminded_at) on accounts.recovery to accounts_app;

comment on table accounts.recovery is 'Recoveries of accounts that lost their second factors, and who requested them. Kept: for the life of the schema';
comment on column accounts.recovery.recovery_id is 'operational: Identifies the recovery';
comment on column accounts.recovery.account_id is 'pseudonym: Whose account';
comment on column accounts.recovery.operator is 'pseudonym: Name of the operator''s account on the machine';
comment on column accounts.recovery.requested_at is 'operational: When it was requested';
comment on column accounts.recovery.due_at is 'operational: When the factors are removed, unless it is refused';
comment on column accounts.recovery.reminded_at is 'operational: When the holder was reminded';
comment on column accounts.recovery.ended_at is 'operational: When it ended';
comment on column accounts.recovery.outcome is 'operational: How it ended';
comment on column accounts.recovery.roles_lost is 'operational: Roles of staff that ended with it';
