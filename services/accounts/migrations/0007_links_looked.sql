-- When account holders last looked at the opens of their links, so that what is new can be counted. And
-- the role of the service that answers questions about opens: it may read sign-in sessions, as the others.
create table accounts.links_looked (
  account_id uuid not null references accounts.account on delete cascade,
  link_id    uuid not null,
  looked_at  timestamptz not null,
  primary key (account_id, link_id)
);

grant select, insert, update, delete on accounts.links_looked to accounts_app;
grant usage on schema accounts to insights_app;
grant execute on function accounts.session_of(bytea, timestamptz) to insights_app;
grant execute on function accounts.redeem_ticket(bytea, text, timestamptz) to insights_app;

comment on table accounts.links_looked is 'When account holders last looked at the opens of their links. Kept: as long as the account';
comment on column accounts.links_looked.account_id is 'pseudonym: Who looked';
comment on column accounts.links_looked.link_id is 'pseudonym: The link; zero for all of them together';
comment on column accounts.links_looked.looked_at is 'operational: When';
