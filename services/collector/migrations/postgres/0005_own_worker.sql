-- Old claims are pruned by the collector's own worker, as the collector's role.
revoke all on collector.event_claim from jobs_app;
revoke usage on schema collector from jobs_app;
