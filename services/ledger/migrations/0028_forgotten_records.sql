-- Records with a clock of their own: settled messages of the outbox 90 days, settled deliveries of
-- newsletter issues 12 months, what operators did 24 months. The times are here, not parameters: the
-- service must not be able to delete what is younger.

create function ledger.forget_records() returns bigint
language plpgsql security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare forgotten bigint; more bigint;
begin
  delete from outbox where coalesce(done_at, given_up_at) < ledger.now() - interval '90 days';
  get diagnostics forgotten = row_count;
  delete from issue_delivery where settled_at < ledger.now() - interval '12 months';
  get diagnostics more = row_count;
  forgotten := forgotten + more;
  delete from operator_action where at < ledger.now() - interval '24 months';
  get diagnostics more = row_count;
  return forgotten + more;
end $$;
revoke all on function ledger.forget_records from public;
grant execute on function ledger.forget_records to ledger_app;

create index on ledger.outbox (coalesce(done_at, given_up_at))
  where done_at is not null or given_up_at is not null;
create index on ledger.issue_delivery (settled_at) where settled_at is not null;
create index on ledger.operator_action (at);

comment on table ledger.outbox is 'Work that follows from events, until it is delivered. Kept: 90 days after it was delivered or given up';
comment on table ledger.issue_delivery is 'Status of each delivery, so that no subscriber receives an issue twice. Kept: 12 months after it was settled';
comment on table ledger.operator_action is 'What operators did that leaves no event. Kept: 24 months';
comment on table ledger.command is 'Reply to each command, repeated byte for byte when the command comes again. Kept: for the life of the ledger; ids and decisions alone';
