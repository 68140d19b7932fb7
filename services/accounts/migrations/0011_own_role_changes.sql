-- Which roles an account was given and lost is part of what its holder may read. Which operator did it is not.
grant select (change_id, account_id, role, granted, changed_at) on accounts.role_change to accounts_app;
