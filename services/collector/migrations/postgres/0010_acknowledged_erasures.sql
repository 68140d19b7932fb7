-- An erasure is settled once every instance has said that what it took before it knew of the erasure is
-- in ClickHouse. Times of several clocks are not compared any more.
alter table collector.erasure add column shipped_by uuid[] not null default '{}';
comment on column collector.erasure.shipped_by is 'operational: Instances that can ship no more records from before the request';
comment on column collector.erasure.subject_id is 'pseudonym: Whose rows; the nil UUID once they are erased, for an account a day later: until then its pages may report';

alter table collector.instance drop column stored_until;
comment on table collector.instance is 'Instances of the collector that may have records in their spool. Kept: while their spool is not empty';
comment on column collector.instance.seen_at is 'operational: When it started, or last acknowledged an erasure';
