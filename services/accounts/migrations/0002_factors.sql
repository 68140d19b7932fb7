-- Second factors, and who was granted which role. Times are those of the service's clock.

-- The authenticator of an account; set up once a first code has confirmed it. A code counts once: its step
-- is noted before it is accepted, and must be later than the last one (RFC 6238, 5.2).
create table accounts.totp (
  account_id    uuid primary key references accounts.account on delete cascade,
  sealed_secret bytea not null,
  begun_at      timestamptz not null,
  confirmed_at  timestamptz,
  last_step     bigint,
  check ((confirmed_at is null) = (last_step is null))
);

create table accounts.recovery_code (
  account_id uuid not null references accounts.account on delete cascade,
  code_hash  bytea not null check (length(code_hash) = 32),
  used_at    timestamptz,
  primary key (account_id, code_hash)
);

create table accounts.passkey (
  passkey_id    uuid primary key,
  account_id    uuid not null references accounts.account on delete cascade,
  credential_id text not null unique,
  public_key    bytea not null,
  counter       bigint not null,
  transports    text[] not null,
  backed_up     boolean not null,
  sealed_name   bytea not null,
  created_at    timestamptz not null,
  last_used_at  timestamptz
);
create index passkey_account on accounts.passkey (account_id);

-- Outlives the account.
create table accounts.role_change (
  change_id  uuid primary key,
  account_id uuid not null,
  role       text not null check (role in ('officer', 'analyst', 'administrator')),
  granted    boolean not null,
  operator   text not null,
  changed_at timestamptz not null
);
create index role_change_account on accounts.role_change (account_id);

grant select, insert, update, delete on
  accounts.totp, accounts.recovery_code, accounts.passkey to accounts_app;

comment on table accounts.totp is 'Authenticators of accounts. Kept: until the holder removes it, or the account is deleted';
comment on column accounts.totp.account_id is 'pseudonym: Whose authenticator';
comment on column accounts.totp.sealed_secret is 'operational: Its secret, encrypted under the key of the service';
comment on column accounts.totp.begun_at is 'operational: When it was begun to set up';
comment on column accounts.totp.confirmed_at is 'operational: When its first code was right';
comment on column accounts.totp.last_step is 'operational: Step of the last code, which counts once';

comment on table accounts.recovery_code is 'Recovery codes. Kept: until others replace them, or the second factor is removed';
comment on column accounts.recovery_code.account_id is 'pseudonym: Whose code';
comment on column accounts.recovery_code.code_hash is 'operational: SHA-256 of the code';
comment on column accounts.recovery_code.used_at is 'operational: When it was used; it counts once';

comment on table accounts.passkey is 'Passkeys of accounts. Kept: until the holder removes it, or the account is deleted';
comment on column accounts.passkey.passkey_id is 'pseudonym: Identifies the passkey';
comment on column accounts.passkey.account_id is 'pseudonym: Whose passkey';
comment on column accounts.passkey.credential_id is 'pseudonym: Id that the authenticator chose';
comment on column accounts.passkey.public_key is 'operational: Proves its signatures';
comment on column accounts.passkey.counter is 'operational: Number of its last use, which reveals copies';
comment on column accounts.passkey.transports is 'operational: How the browser reaches it';
comment on column accounts.passkey.backed_up is 'operational: Whether its provider synchronises it between devices';
comment on column accounts.passkey.sealed_name is 'content: Name that the holder gave it, encrypted under the key of the service';
comment on column accounts.passkey.created_at is 'operational: When it was added';
comment on column accounts.passkey.last_used_at is 'operational: Last use';

comment on table accounts.role_change is 'Who was granted which role, or lost it. Kept: for the life of the schema';
comment on column accounts.role_change.change_id is 'operational: Identifies the change';
comment on column accounts.role_change.account_id is 'pseudonym: Whose role';
comment on column accounts.role_change.role is 'operational: Which role';
comment on column accounts.role_change.granted is 'operational: Granted, or revoked';
comment on column accounts.role_change.operator is 'pseudonym: Name of the operator''s account on the machine';
comment on column accounts.role_change.changed_at is 'operational: When';
