-- What is sealed of a person is sealed under a key of their account, which is wrapped under the key of an
-- epoch. Those keys are outside the database and are destroyed some weeks after the epoch: a backup does not
-- open what was erased since. Rows of the former form are sealed anew when a service starts.

create table accounts.key_epoch (
  key_id    text primary key,
  used_from timestamptz not null
);

create table accounts.ended_epoch (
  key_id       text primary key,
  ended_at     timestamptz not null,
  destroyed_at timestamptz
);

-- One row: the keys of indexes, tokens and password hashes are derived from it.
create table accounts.service_secret (
  is_only         boolean primary key default true check (is_only),
  wrapped         bytea not null,
  wrapping_key_id text not null
);

-- Of an account, whose id it has; or of a mail to an address that may have none.
create table accounts.data_key (
  key_id     uuid primary key,
  account_id uuid unique references accounts.account on delete cascade deferrable initially deferred,
  wrapped    bytea not null,
  epoch_id   text not null references accounts.key_epoch,
  created_at timestamptz not null,
  check (account_id = key_id)
);
create index data_key_epoch on accounts.data_key (epoch_id);

-- Null in rows that were not sealed anew yet.
alter table accounts.mail_token add column key_id uuid;
alter table accounts.requested_mail add column key_id uuid;
create index mail_token_key on accounts.mail_token (key_id);
create index requested_mail_key on accounts.requested_mail (key_id);

-- The handle is in the sealed profile; its two columns are emptied when the row is sealed anew.
alter table accounts.account add column handle_hash bytea unique check (length(handle_hash) = 32);

grant select, insert, update, delete on
  accounts.key_epoch, accounts.ended_epoch, accounts.service_secret, accounts.data_key to accounts_app;

comment on table accounts.key_epoch is 'Epochs of keys that wrap the keys of accounts. Kept: until the epoch ends';
comment on column accounts.key_epoch.key_id is 'operational: Names the key, which is outside the database';
comment on column accounts.key_epoch.used_from is 'operational: When it began';

comment on table accounts.ended_epoch is 'Evidence that keys of epochs were destroyed. Kept: for the life of the schema';
comment on column accounts.ended_epoch.key_id is 'operational: Names the key';
comment on column accounts.ended_epoch.ended_at is 'operational: When the epoch ended';
comment on column accounts.ended_epoch.destroyed_at is 'operational: When its key was destroyed';

comment on table accounts.service_secret is 'The secret that keyed hashes and links are made with. Kept: for the life of the schema';
comment on column accounts.service_secret.is_only is 'operational: There is one';
comment on column accounts.service_secret.wrapped is 'operational: The secret, encrypted under ACCOUNTS_KEY';
comment on column accounts.service_secret.wrapping_key_id is 'operational: Names that key';

comment on table accounts.data_key is 'Keys that accounts, and mails to addresses without one, are sealed under. Kept: as long as the account or the mail';
comment on column accounts.data_key.key_id is 'pseudonym: Id of the account or the mail';
comment on column accounts.data_key.account_id is 'pseudonym: Whose key, where it is that of an account';
comment on column accounts.data_key.wrapped is 'operational: The key, encrypted under that of an epoch';
comment on column accounts.data_key.epoch_id is 'operational: Names the epoch';
comment on column accounts.data_key.created_at is 'operational: When it was made';

comment on column accounts.mail_token.key_id is 'pseudonym: Names the key that the address is sealed under';
comment on column accounts.requested_mail.key_id is 'pseudonym: Names the key that it is sealed under';
comment on column accounts.account.handle_hash is 'pseudonym: Keyed hash of the handle, in a form in which look-alikes are equal';
comment on column accounts.account.handle is 'pseudonym: Empty once the row is sealed under a key of its own';
comment on column accounts.account.handle_skeleton is 'pseudonym: Empty once the row is sealed under a key of its own';
comment on column accounts.account.sealed_email is 'content: The address, encrypted under the key of the account';
comment on column accounts.account.sealed_profile is 'content: Name, phone, postal address and handle, encrypted under the key of the account';
comment on column accounts.photo.sealed is 'content: The picture without metadata, encrypted under the key of the account';
comment on column accounts.mail_token.sealed_email is 'content: That address, encrypted under the key of the account or the mail';
comment on column accounts.requested_mail.sealed is 'content: Recipient and details, encrypted under the key of the account or the mail';
comment on column accounts.totp.sealed_secret is 'operational: Its secret, encrypted under the key of the account';
comment on column accounts.passkey.sealed_name is 'content: Name that the holder gave it, encrypted under the key of the account';
