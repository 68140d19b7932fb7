-- Opens of links by a visitor who consented are found by a key of that visitor; see session/identity.ts.
alter table collector.erasure add column reader_key bytea;
comment on column collector.erasure.reader_key is 'pseudonym: From which the visitor''s ids at links are made; null once their rows are erased, and for accounts';
