-- Access tokens with which programs of account holders read the holders' own data. Of a token only the hash
-- is stored; the name that its holder gave it is sealed under the key of the account.
create table accounts.access_token (
  token_hash   bytea primary key check (length(token_hash) = 32),
  token_id     uuid not null unique,
  account_id   uuid not null references accounts.account on delete cascade,
  prefix       text not null check (length(prefix) <= 8),
  sealed_name  bytea not null,
  scopes       text[] not null check (scopes <@ '{links:read,opens:read}' and scopes <> '{}'),
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  last_used_on date
);
create index access_token_account on accounts.access_token (account_id);
create index access_token_expires on accounts.access_token (expires_at);

-- The account of an access token that is valid at this time. Its use is noted by the day, once a day.
create function accounts.access_token_of(token_hash bytea, at timestamptz)
returns table (account_id uuid, token_id uuid, scopes text[])
language plpgsql security definer set search_path = pg_catalog as $$
#variable_conflict use_column
declare
  t record;
  today date := (at at time zone 'UTC')::date;
begin
  select t.account_id, t.token_id, t.scopes, t.last_used_on into t
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
revoke all on function accounts.access_token_of(bytea, timestamptz) from public;
grant execute on function accounts.access_token_of(bytea, timestamptz)
  to accounts_app, ledger_app, insights_app;
grant select, insert, update, delete on accounts.access_token to accounts_app;

comment on table accounts.access_token is 'Access tokens for programs of account holders. Kept: until they end or are revoked, at most a year and an hour';
comment on column accounts.access_token.token_hash is 'operational: SHA-256 of the token';
comment on column accounts.access_token.token_id is 'pseudonym: Identifies the token';
comment on column accounts.access_token.account_id is 'pseudonym: Whose token';
comment on column accounts.access_token.prefix is 'operational: First characters of the token, to recognise it by';
comment on column accounts.access_token.sealed_name is 'content: The name that the holder gave it, encrypted under the key of the account';
comment on column accounts.access_token.scopes is 'operational: What it may read';
comment on column accounts.access_token.created_at is 'operational: When it was made';
comment on column accounts.access_token.expires_at is 'operational: When it ends';
comment on column accounts.access_token.last_used_on is 'operational: Day of the last use';
