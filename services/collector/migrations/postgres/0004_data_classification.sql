-- What each stored field is and why it is kept. A column comment is `<class>: <purpose>`, a table
-- comment is `<purpose>. Kept: <retention>`; infra/docs/data-assets.md is made from both.

comment on table collector.event_claim is 'Which spool segment stores a client-made event id, so that a repetition is stored once. Kept: until no client may repeat the event, then deleted';
comment on column collector.event_claim.event_id is 'pseudonym: Identifies the event';
comment on column collector.event_claim.segment is 'operational: Segment of the spool';
comment on column collector.event_claim.claimed_at is 'operational: When the id was claimed';

comment on table collector.migration is 'Applied migrations. Kept: for the life of the schema';
comment on column collector.migration.name is 'operational: File of the migration';
comment on column collector.migration.hash is 'operational: Proves that the file did not change';
comment on column collector.migration.applied_at is 'operational: When it was applied';
