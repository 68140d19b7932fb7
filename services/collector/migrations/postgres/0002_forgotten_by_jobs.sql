-- Old claims are forgotten by a job, in the process that runs all jobs.
do $$
begin
  if to_regrole('jobs_app') is null then
    raise exception 'The role jobs_app does not exist; it is made before the migrations';
  end if;
end $$;

grant usage on schema collector to jobs_app;
grant select, delete on collector.event_claim to jobs_app;
