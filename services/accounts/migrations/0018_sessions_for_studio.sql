-- CVs are served by a service of its own, which reads sign-in sessions and tickets by these functions.
grant usage on schema accounts to studio_app;
grant execute on function accounts.session_of(bytea, timestamptz) to studio_app;
grant execute on function accounts.redeem_ticket(bytea, text, timestamptz) to studio_app;
