-- Which segment of which collector's spool stores a client-made event id. An event that is sent
-- again, to whatever instance, finds its id taken and is counted as a duplicate.
create table collector.event_claim (
  event_id   uuid primary key,
  segment    uuid not null,
  claimed_at timestamptz not null default now()
);
create index event_claim_claimed_at on collector.event_claim (claimed_at);

grant usage on schema collector to collector_app;
grant select, insert, delete on collector.event_claim to collector_app;
