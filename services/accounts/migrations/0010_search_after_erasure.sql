-- The search that ends an erasure reads every row of every table, and looks for a value that it planted
-- itself as well.
create table accounts.search_decoy (
  decoy_id   uuid        primary key,
  words      text,
  document   jsonb,
  bytes      bytea,
  planted_at timestamptz not null default clock_timestamp()
);
grant select, insert, delete on accounts.search_decoy to accounts_app;
grant select on all tables in schema accounts to accounts_app;
alter default privileges in schema accounts grant select on tables to accounts_app;

comment on table accounts.search_decoy is 'Values that a search after an erasure plants to see whether it finds them. Kept: while the search runs; what a process left that ended, an hour';
comment on column accounts.search_decoy.decoy_id is 'operational: Names the search';
comment on column accounts.search_decoy.words is 'operational: A random value in a text';
comment on column accounts.search_decoy.document is 'operational: A random value in JSON';
comment on column accounts.search_decoy.bytes is 'operational: A random value as bytes';
comment on column accounts.search_decoy.planted_at is 'operational: When it was planted';
