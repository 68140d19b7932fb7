-- People who open share links are recognised for 48 hours at most. What recognises them is a keyed hash
-- of address and browser, per link, under a salt of the day; salts are destroyed when the next day ends,
-- and with them every way from a row to a person, or from one link's rows to another's.
create table collector.open_salt (
  day    date primary key,
  sealed bytea not null
);

create table collector.open_visitor (
  link_id    uuid not null,
  key        bytea not null check (length(key) = 16),
  visitor_id uuid not null,
  since      timestamptz not null,
  counted_at timestamptz,
  primary key (link_id, key)
);
create index open_visitor_since on collector.open_visitor (since);

grant select, insert, delete on collector.open_salt to collector_app;
grant select, insert, update, delete on collector.open_visitor to collector_app;

comment on table collector.open_salt is 'Random keys of the hashes that recognise visitors of links. Kept: until the end of the next day';
comment on column collector.open_salt.day is 'operational: UTC day on which the salt is in use';
comment on column collector.open_salt.sealed is 'operational: Key of the hashes, sealed under a key that is not in the database';

comment on table collector.open_visitor is 'Who opened a link lately, so that opens by one visitor are counted as such. Kept: 48 hours';
comment on column collector.open_visitor.link_id is 'pseudonym: The link';
comment on column collector.open_visitor.key is 'pseudonym: Keyed hash of address and browser, of this link alone';
comment on column collector.open_visitor.visitor_id is 'pseudonym: Random; what is stored of the visitor';
comment on column collector.open_visitor.since is 'operational: When the visitor was first seen';
comment on column collector.open_visitor.counted_at is 'operational: When an open was last counted';
