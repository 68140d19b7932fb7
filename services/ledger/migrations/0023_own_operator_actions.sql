-- What operators did about a person is part of what the person may read: when, what, and about what. Who the operator
-- was is not.
grant select (at, action, concerns) on ledger.operator_action to ledger_app;
