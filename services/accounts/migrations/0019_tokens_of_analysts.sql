-- Tokens with which programs of analysts ask ClickHouse. Such a scope holds only while the account has the role.
alter table accounts.access_token drop constraint access_token_scopes_check;
alter table accounts.access_token add constraint access_token_scopes_check
  check (scopes <@ '{links:read,opens:read,analytics:query}' and scopes <> '{}');

create or replace function accounts.access_token_of(token_hash bytea, at timestamptz)
returns table (account_id uuid, token_id uuid, scopes text[])
language plpgsql security definer set search_path = pg_catalog as $$
#variable_conflict use_column
declare
  t record;
  today date := (at at time zone 'UTC')::date;
begin
  select t.account_id, t.token_id, t.last_used_on,
         case when 'analyst' = any (a.roles) then t.scopes
              else array_remove(t.scopes, 'analytics:query') end as scopes into t
    from accounts.access_token t join accounts.account a on a.account_id = t.account_id
   where t.token_hash = access_token_of.token_hash and t.expires_at > at and a.status = 'open';
  if not found then return; end if;
  if t.last_used_on is null or t.last_used_on < today then
    update accounts.access_token u set last_used_on = today
     where u.token_hash in (
       select k.token_hash from accounts.access_token k
        where k.token_hash = access_token_of.token_hash for update skip locked);
  end if;
  return query select t.account_id, t.token_id, t.scopes;
end $$;
