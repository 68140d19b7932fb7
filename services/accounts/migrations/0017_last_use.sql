-- The day on which an account was last used: by a sign-in, by a session, by an access token. Sessions and
-- tokens that end leave theirs with the account; opens of its links by others leave nothing.
alter table accounts.account add column active_on date;
comment on column accounts.account.active_on is 'coarse: UTC day of the last use that no session or token has any more';

create function accounts.note_use() returns trigger
language plpgsql set search_path = pg_catalog as $$
declare
  used date;
  account uuid;
begin
  if tg_op = 'DELETE' then account := old.account_id; else account := new.account_id; end if;
  if tg_table_name = 'access_token' then used := old.last_used_on;
  elsif tg_op = 'DELETE' then used := (old.last_used_at at time zone 'UTC')::date;
  else used := (new.signed_in_at at time zone 'UTC')::date; end if;
  update accounts.account a set active_on = used
   where a.account_id = account and used > coalesce(a.active_on, '-infinity');
  return null;
end $$;
create trigger used after insert or delete on accounts.sign_in_session
  for each row execute function accounts.note_use();
create trigger used after delete on accounts.access_token
  for each row execute function accounts.note_use();
revoke all on function accounts.note_use() from public;

-- Devices are noted at each sign-in, and kept longer than sessions.
update accounts.account a set active_on = (
  select max((d.last_used_at at time zone 'UTC')::date)
    from accounts.known_device d where d.account_id = a.account_id);

create view accounts.last_use as
  select a.account_id, a.status,
         greatest((a.created_at at time zone 'UTC')::date, a.active_on,
           (select max((s.last_used_at at time zone 'UTC')::date)
              from accounts.sign_in_session s where s.account_id = a.account_id),
           (select max(t.last_used_on)
              from accounts.access_token t where t.account_id = a.account_id)) as active_on
    from accounts.account a;
grant select on accounts.last_use to accounts_app;
