-- A claim that meets another answers with whose it is, read after the wait for that other: the
-- conflicting row is rewritten unchanged.
grant update (segment) on collector.event_claim to collector_app;
