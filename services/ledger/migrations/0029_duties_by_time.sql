-- What is overdue is asked whenever figures are read, also among timers that have fired: the index of the
-- sweepers holds the others alone.

create index on ledger.due_timer (due_at);
