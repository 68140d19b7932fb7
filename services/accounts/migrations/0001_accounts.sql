-- Accounts, their sign-in sessions and what is mailed to them. What identifies a person is sealed under
-- the service's own key; an account is found by a keyed hash of its address. Times are those of the
-- service's clock: no default reads the clock of the database.
do $$
begin
  if to_regrole('accounts_app') is null or to_regrole('ledger_app') is null then
    raise exception 'The roles accounts_app and ledger_app do not exist; they are made before the migrations';
  end if;
end $$;

create table accounts.account (
  account_id        uuid primary key,
  address_hash      bytea not null unique check (length(address_hash) = 32),
  sealed_email      bytea not null,
  sealed_profile    bytea not null,
  language          text not null check (language in ('en', 'he')),
  time_zone         text not null,
  handle            text check (handle = lower(handle)),
  -- Two handles that look alike have the same form here.
  handle_skeleton   text unique,
  password_hash     text not null,
  roles             text[] not null default '{holder}'
    check (roles <@ '{holder,officer,analyst,administrator}' and 'holder' = any (roles)),
  status            text not null default 'open' check (status in ('open', 'banned', 'closed')),
  created_at        timestamptz not null,
  check ((handle is null) = (handle_skeleton is null))
);

create table accounts.photo (
  account_id uuid primary key references accounts.account on delete cascade,
  sealed     bytea not null
);

create table accounts.sign_in_session (
  token_hash       bytea primary key check (length(token_hash) = 32),
  session_id       uuid not null unique,
  account_id       uuid not null references accounts.account on delete cascade,
  owner_hash       bytea not null check (length(owner_hash) = 32),
  factor           boolean not null,
  browser          text,
  system           text,
  signed_in_at     timestamptz not null,
  authenticated_at timestamptz not null,
  last_used_at     timestamptz not null
);
create index sign_in_session_account on accounts.sign_in_session (account_id);
create index sign_in_session_signed_in on accounts.sign_in_session (signed_in_at);

create table accounts.download_ticket (
  ticket_hash bytea primary key check (length(ticket_hash) = 32),
  session_id  uuid not null references accounts.sign_in_session (session_id) on delete cascade,
  path        text not null,
  expires_at  timestamptz not null
);
create index download_ticket_expires on accounts.download_ticket (expires_at);
create index download_ticket_session on accounts.download_ticket (session_id);

create table accounts.challenge (
  challenge_hash bytea primary key check (length(challenge_hash) = 32),
  kind           text not null,
  account_id     uuid references accounts.account on delete cascade,
  state          jsonb not null,
  attempts       int not null default 0,
  expires_at     timestamptz not null
);
create index challenge_expires on accounts.challenge (expires_at);
create index challenge_account on accounts.challenge (account_id);

create table accounts.known_device (
  account_id   uuid not null references accounts.account on delete cascade,
  device_hash  bytea not null check (length(device_hash) = 32),
  last_used_at timestamptz not null,
  primary key (account_id, device_hash)
);

create table accounts.attempt (
  key_hash      bytea primary key check (length(key_hash) = 32),
  count         int not null,
  counted_at    timestamptz not null,
  blocked_until timestamptz
);
create index attempt_counted on accounts.attempt (counted_at);

create table accounts.mail_token (
  token_hash    bytea primary key check (length(token_hash) = 32),
  purpose       text not null check (purpose in ('invitation', 'registration', 'reset', 'email')),
  account_id    uuid references accounts.account on delete cascade,
  invitation_id uuid unique,
  address_hash  bytea not null check (length(address_hash) = 32),
  sealed_email  bytea not null,
  language      text not null check (language in ('en', 'he')),
  expires_at    timestamptz not null,
  used_at       timestamptz,
  check ((account_id is null) = (purpose in ('invitation', 'registration'))),
  check ((invitation_id is not null) = (purpose = 'invitation'))
);
create index mail_token_account on accounts.mail_token (account_id);
create index mail_token_address on accounts.mail_token (address_hash);
create index mail_token_expires on accounts.mail_token (expires_at);

create table accounts.requested_mail (
  mail_id      uuid primary key,
  kind         text not null,
  account_id   uuid references accounts.account on delete cascade,
  sealed       bytea not null,
  requested_at timestamptz not null,
  attempts     int not null default 0,
  due_at       timestamptz not null,
  given_up_at  timestamptz
);
create index requested_mail_due on accounts.requested_mail (due_at) where given_up_at is null;
create index requested_mail_account on accounts.requested_mail (account_id);

create table accounts.account_opening (
  account_id    uuid primary key references accounts.account on delete cascade,
  invitation_id uuid,
  accepted_at   timestamptz not null,
  documents     jsonb not null,
  attempts      int not null default 0,
  due_at        timestamptz not null,
  recorded_at   timestamptz
);
create index account_opening_due on accounts.account_opening (due_at) where recorded_at is null;

-- Whatever changes the roles or the status of an account, its sign-in sessions end with it.
create function accounts.end_sessions() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
  delete from accounts.sign_in_session where account_id = new.account_id;
  return null;
end $$;
create trigger changed_rights_end_sessions
  after update of roles, status on accounts.account for each row
  when (old.roles is distinct from new.roles or old.status is distinct from new.status)
  execute function accounts.end_sessions();

-- The account of a token, if its session is valid at this time: one look-up by each primary key. Holders:
-- 30 days without use, 90 days in all; staff: an hour, 12 hours (OWASP ASVS 5.0, 7.3). The use is noted
-- at most every five minutes, so a session may end that much early.
create function accounts.session_of(token_hash bytea, at timestamptz)
returns table (account_id uuid, session_id uuid, roles text[], factor boolean, authenticated_ms bigint)
language plpgsql security definer set search_path = pg_catalog as $$
#variable_conflict use_column
declare
  s record;
begin
  select s.account_id, s.session_id, a.roles, s.factor, s.authenticated_at, s.last_used_at into s
    from accounts.sign_in_session s join accounts.account a on a.account_id = s.account_id
   where s.token_hash = session_of.token_hash and a.status = 'open'
     and s.signed_in_at > at - case when a.roles && '{officer,analyst,administrator}'
                                    then interval '12 hours' else interval '90 days' end
     and s.last_used_at > at - case when a.roles && '{officer,analyst,administrator}'
                                    then interval '1 hour' else interval '30 days' end;
  if not found then return; end if;
  if s.last_used_at <= at - interval '5 minutes' then
    update accounts.sign_in_session u set last_used_at = at
     where u.token_hash in (
       select k.token_hash from accounts.sign_in_session k
        where k.token_hash = session_of.token_hash for update skip locked);
  end if;
  return query select s.account_id, s.session_id, s.roles, s.factor,
                      (extract(epoch from s.authenticated_at) * 1000)::bigint;
end $$;

-- The account of a ticket for one download at this path; the ticket is used up by that.
create function accounts.redeem_ticket(ticket_hash bytea, path text, at timestamptz)
returns table (account_id uuid, session_id uuid, roles text[], factor boolean, authenticated_ms bigint)
language plpgsql security definer set search_path = pg_catalog as $$
#variable_conflict use_column
declare
  redeemed uuid;
begin
  delete from accounts.download_ticket t
   where t.ticket_hash = redeem_ticket.ticket_hash and t.path = redeem_ticket.path and t.expires_at > at
  returning t.session_id into redeemed;
  if redeemed is null then return; end if;
  return query
    select o.account_id, o.session_id, o.roles, o.factor, o.authenticated_ms
      from accounts.sign_in_session s, accounts.session_of(s.token_hash, at) o
     where s.session_id = redeemed;
end $$;

revoke all on function accounts.end_sessions() from public;
revoke all on function accounts.session_of(bytea, timestamptz) from public;
revoke all on function accounts.redeem_ticket(bytea, text, timestamptz) from public;

grant usage on schema accounts to accounts_app, ledger_app;
grant execute on function accounts.session_of(bytea, timestamptz) to accounts_app, ledger_app;
grant execute on function accounts.redeem_ticket(bytea, text, timestamptz) to accounts_app, ledger_app;
grant select, insert, update, delete on
  accounts.account, accounts.photo, accounts.sign_in_session, accounts.download_ticket,
  accounts.challenge, accounts.known_device, accounts.attempt, accounts.mail_token,
  accounts.requested_mail, accounts.account_opening to accounts_app;

comment on table accounts.migration is 'Applied migrations. Kept: for the life of the schema';
comment on column accounts.migration.name is 'operational: File of the migration';
comment on column accounts.migration.hash is 'operational: Proves that the file did not change';
comment on column accounts.migration.applied_at is 'operational: When it was applied';

comment on table accounts.account is 'Accounts. Kept: until the account is deleted';
comment on column accounts.account.account_id is 'pseudonym: Identifies the account';
comment on column accounts.account.address_hash is 'pseudonym: Keyed hash of the address, to find the account by it';
comment on column accounts.account.sealed_email is 'content: The address, encrypted under the key of the service';
comment on column accounts.account.sealed_profile is 'content: Name, phone and postal address, encrypted under the key of the service';
comment on column accounts.account.language is 'coarse: Language of mails and pages';
comment on column accounts.account.time_zone is 'coarse: Zone in which times are shown and dates are computed';
comment on column accounts.account.handle is 'pseudonym: Name in the address of the public page, chosen by the holder';
comment on column accounts.account.handle_skeleton is 'pseudonym: Form of the handle in which look-alikes are equal';
comment on column accounts.account.password_hash is 'operational: Argon2id hash of the password';
comment on column accounts.account.roles is 'operational: What the account may do';
comment on column accounts.account.status is 'operational: Whether it may sign in';
comment on column accounts.account.created_at is 'operational: When it was opened';

comment on table accounts.photo is 'Photos of account holders. Kept: until the holder removes it, or the account is deleted';
comment on column accounts.photo.account_id is 'pseudonym: Whose photo';
comment on column accounts.photo.sealed is 'content: The picture without metadata, encrypted under the key of the service';

comment on table accounts.sign_in_session is 'Where accounts are signed in. Kept: until the sign-out or the limits of a session, at most 90 days';
comment on column accounts.sign_in_session.token_hash is 'operational: SHA-256 of the bearer token';
comment on column accounts.sign_in_session.session_id is 'pseudonym: Identifies the session';
comment on column accounts.sign_in_session.account_id is 'pseudonym: Whose session';
comment on column accounts.sign_in_session.owner_hash is 'operational: SHA-256 of the cookie that recognises the owner''s own link opens';
comment on column accounts.sign_in_session.factor is 'operational: Whether a second factor was part of the sign-in';
comment on column accounts.sign_in_session.browser is 'coarse: Name of the browser';
comment on column accounts.sign_in_session.system is 'coarse: Name of the operating system';
comment on column accounts.sign_in_session.signed_in_at is 'operational: When it began';
comment on column accounts.sign_in_session.authenticated_at is 'operational: When the holder last proved who they are';
comment on column accounts.sign_in_session.last_used_at is 'operational: Last use, noted at most every five minutes';

comment on table accounts.download_ticket is 'Tickets for one download each. Kept: until they are used, at most a day';
comment on column accounts.download_ticket.ticket_hash is 'operational: SHA-256 of the ticket';
comment on column accounts.download_ticket.session_id is 'pseudonym: Session that asked for it';
comment on column accounts.download_ticket.path is 'operational: What it may download';
comment on column accounts.download_ticket.expires_at is 'operational: When it ends';

comment on table accounts.challenge is 'Sign-ins and set-ups that are under way. Kept: until they end, at most a day';
comment on column accounts.challenge.challenge_hash is 'operational: SHA-256 of the token that the browser holds';
comment on column accounts.challenge.kind is 'operational: What is under way';
comment on column accounts.challenge.account_id is 'pseudonym: Whose, where it is known';
comment on column accounts.challenge.state is 'operational: What the next step needs; secrets in it are encrypted';
comment on column accounts.challenge.attempts is 'operational: Number of attempts';
comment on column accounts.challenge.expires_at is 'operational: When it ends';

comment on table accounts.known_device is 'Browsers that an account has signed in with, to notify of others. Kept: 180 days after the last sign-in';
comment on column accounts.known_device.account_id is 'pseudonym: Whose device';
comment on column accounts.known_device.device_hash is 'pseudonym: Keyed hash of the names of browser and system';
comment on column accounts.known_device.last_used_at is 'operational: Last sign-in';

comment on table accounts.attempt is 'Counts of attempts and of mails, to limit them. Kept: two days after the last one';
comment on column accounts.attempt.key_hash is 'pseudonym: Keyed hash of what is counted and of an address or a network';
comment on column accounts.attempt.count is 'operational: How many';
comment on column accounts.attempt.counted_at is 'operational: The last one';
comment on column accounts.attempt.blocked_until is 'operational: Until when further ones are refused';

comment on table accounts.mail_token is 'Mailed links that open an account, set a password or confirm an address. Kept: 30 days after their end';
comment on column accounts.mail_token.token_hash is 'operational: SHA-256 of the token';
comment on column accounts.mail_token.purpose is 'operational: What the link does';
comment on column accounts.mail_token.account_id is 'pseudonym: Whose link, where there is an account';
comment on column accounts.mail_token.invitation_id is 'pseudonym: Invitation that it belongs to';
comment on column accounts.mail_token.address_hash is 'pseudonym: Keyed hash of the address that it was mailed to';
comment on column accounts.mail_token.sealed_email is 'content: That address, encrypted under the key of the service';
comment on column accounts.mail_token.language is 'coarse: Language of the mail';
comment on column accounts.mail_token.expires_at is 'operational: When it ends';
comment on column accounts.mail_token.used_at is 'operational: When it was used';

comment on table accounts.requested_mail is 'Mails to be written and sent. Kept: until they are sent; 30 days when they are given up';
comment on column accounts.requested_mail.mail_id is 'operational: Identifies the mail';
comment on column accounts.requested_mail.kind is 'operational: Which mail';
comment on column accounts.requested_mail.account_id is 'pseudonym: Whose mail, where that is known';
comment on column accounts.requested_mail.sealed is 'content: Recipient and details, encrypted under the key of the service';
comment on column accounts.requested_mail.requested_at is 'operational: When it was requested';
comment on column accounts.requested_mail.attempts is 'operational: Number of attempts';
comment on column accounts.requested_mail.due_at is 'operational: When the next attempt is due';
comment on column accounts.requested_mail.given_up_at is 'operational: When it was given up';

comment on table accounts.account_opening is 'What was accepted when an account was opened, until and after the ledger has recorded it. Kept: as long as the account';
comment on column accounts.account_opening.account_id is 'pseudonym: Which account';
comment on column accounts.account_opening.invitation_id is 'pseudonym: Invitation that it followed';
comment on column accounts.account_opening.accepted_at is 'operational: When';
comment on column accounts.account_opening.documents is 'operational: Names, languages, versions and hashes of the texts';
comment on column accounts.account_opening.attempts is 'operational: Number of attempts to record it';
comment on column accounts.account_opening.due_at is 'operational: When the next attempt is due';
comment on column accounts.account_opening.recorded_at is 'operational: When the ledger had recorded it';
