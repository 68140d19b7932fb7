-- What operators did has a clock. The time is here, not a parameter: the service must not be able to
-- delete what is younger. A right that stands keeps its last record.
create function accounts.forget_operator_actions() returns void
language plpgsql security definer set search_path = accounts, pg_temp set lock_timeout = '5s' as $$
declare before timestamptz := clock_timestamp() - interval '24 months';
begin
  delete from recovery where ended_at < before;
  delete from role_change c
   where c.changed_at < before and (
     not exists (select from account a where a.account_id = c.account_id)
     or exists (select from role_change later
                 where later.account_id = c.account_id and later.role = c.role
                   and (later.changed_at, later.change_id) > (c.changed_at, c.change_id)));
end $$;
revoke all on function accounts.forget_operator_actions from public;
grant execute on function accounts.forget_operator_actions to accounts_app;

comment on table accounts.recovery is 'Recoveries of accounts that lost their second factors, and who requested them. Kept: 24 months after their end';
comment on table accounts.role_change is 'Who was granted which role, or lost it. Kept: 24 months, and the last one as long as the account has the role';
