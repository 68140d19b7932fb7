-- An open is counted by exactly one of the requests of a visitor that come at once: the one that holds
-- the claim. A claim is confirmed once the open is on disk; one that its process did not live to confirm
-- is released when that process starts again, or has waited ten seconds.
alter table collector.open_visitor
  add column claim uuid,
  add column claimed_at timestamptz,
  add column claimed_by uuid;

comment on column collector.open_visitor.claim is 'operational: Names the request that is being counted';
comment on column collector.open_visitor.claimed_at is 'operational: When it was claimed';
comment on column collector.open_visitor.claimed_by is 'operational: The instance that counts it';
