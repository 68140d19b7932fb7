-- Invitations have a discount, in per cent, that the account gets which they open; 0 for none.

alter table accounts.mail_token
  add column discount_percent smallint not null default 0 check (discount_percent between 0 and 100);
alter table accounts.account_opening
  add column discount_percent smallint not null default 0 check (discount_percent between 0 and 100);

-- An invitation whose address has an account leads to one mail, however often it is passed on.
create table accounts.launch_notice (
  invitation_id uuid primary key,
  account_id    uuid not null references accounts.account on delete cascade
);
create index launch_notice_account on accounts.launch_notice (account_id);

grant select, insert, update, delete on accounts.launch_notice to accounts_app;

comment on column accounts.mail_token.discount_percent is 'operational: Discount of the invitation, in per cent';
comment on column accounts.account_opening.discount_percent is 'operational: Discount of the invitation, in per cent';

comment on table accounts.launch_notice is 'Account holders who were notified of the launch. Kept: as long as the account';
comment on column accounts.launch_notice.invitation_id is 'pseudonym: Invitation that the notice replaces';
comment on column accounts.launch_notice.account_id is 'pseudonym: Whose account';
