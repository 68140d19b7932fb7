-- The outbox keeps book of what was delivered; the queue only wakes workers. A message is handed to
-- the queue again and again, after longer and longer pauses, until it is done or given up: the first
-- time, a queue that was lost and a worker that died are one and the same case.

alter table ledger.outbox
  drop column relayed_at,  -- and with it the index of what was not handed on
  add column turn        int         not null default 0 check (turn >= 0),  -- how often it was handed to the queue
  add column due_at      timestamptz not null default clock_timestamp(),    -- when it is handed on (again)
  add column done_at     timestamptz,
  add column given_up_at timestamptz,
  add check (done_at is null or given_up_at is null);
create index on ledger.outbox (due_at, id) where done_at is null and given_up_at is null;

-- An append leaves the columns with a default to the database and writes null into the other two.
select ledger.register_table('outbox', 'effect');

-- Columns rather than functions: these hold times and a counter, and the worst that can be done with
-- them is to deliver once more or not at all, which whoever delivers can do anyway. What is to be
-- delivered, for which event, and what is due when, the service can add by an append only.
grant update (turn, due_at, done_at, given_up_at) on ledger.outbox to ledger_app;
grant update (fired_at) on ledger.due_timer to ledger_app;
