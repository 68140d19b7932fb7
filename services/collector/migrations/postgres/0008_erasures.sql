-- Erasures of what ClickHouse holds. One is done when a pass has found nothing left and no instance
-- can still ship a record from before the request.
create table collector.erasure (
  erasure_id   uuid primary key,
  subject_kind text not null check (subject_kind in ('visitor', 'account')),
  subject_id   uuid not null,
  requested_at timestamptz not null,
  swept_at     timestamptz,
  erased_at    timestamptz,
  rows_deleted bigint not null default 0
);
create index erasure_pending on collector.erasure (requested_at) where erased_at is null;

-- Until when the records that each instance acknowledged are stored in ClickHouse. An instance that
-- ended with records in its spool keeps its row: erasures wait for it.
create table collector.instance (
  instance_id  uuid primary key,
  stored_until timestamptz not null,
  seen_at      timestamptz not null
);

grant select, insert, update, delete on collector.erasure, collector.instance to collector_app;

comment on table collector.erasure is 'Requested erasures of rows in ClickHouse. Kept: 90 days after they are done';
comment on column collector.erasure.erasure_id is 'pseudonym: Names the erasure';
comment on column collector.erasure.subject_kind is 'operational: visitor or account';
comment on column collector.erasure.subject_id is 'pseudonym: Whose rows; the nil UUID once they are erased';
comment on column collector.erasure.requested_at is 'operational: When it was acknowledged';
comment on column collector.erasure.swept_at is 'operational: When a pass first deleted what was there';
comment on column collector.erasure.erased_at is 'operational: When nothing was left and nothing could arrive';
comment on column collector.erasure.rows_deleted is 'operational: How many rows were deleted';

comment on table collector.instance is 'Instances of the collector, and what they have shipped. Kept: while their spool is not empty';
comment on column collector.instance.instance_id is 'operational: Names the spool';
comment on column collector.instance.stored_until is 'operational: Records acknowledged before are in ClickHouse';
comment on column collector.instance.seen_at is 'operational: When the instance last said so';
