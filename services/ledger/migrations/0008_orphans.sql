-- A subject is made before the event that seals something for it. Where that event never came (the
-- append failed, the process died), the keyed hash of an address would stay for nothing.
create function ledger.forget_orphans() returns bigint language plpgsql security definer
set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare forgotten bigint;
begin
  delete from subject s
   where s.created_at < clock_timestamp() - interval '1 day'
     and not exists (select from event e where e.key_id = s.subject_id and e.sealed is not null);
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;

revoke all on function ledger.forget_orphans from public;
grant execute on function ledger.forget_orphans to ledger_app;
grant select (created_at) on ledger.subject to ledger_shredder;
-- As with ledger.shred_subject: the role may do this and nothing else.
grant create on schema ledger to ledger_shredder;
alter function ledger.forget_orphans owner to ledger_shredder;
revoke create on schema ledger from ledger_shredder;
