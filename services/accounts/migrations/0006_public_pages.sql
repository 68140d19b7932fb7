-- What account holders publish of themselves, beside name and photo.

create table accounts.public_page (
  account_id uuid primary key references accounts.account on delete cascade,
  sealed     bytea not null
);
grant select, insert, update, delete on accounts.public_page to accounts_app;

comment on table accounts.public_page is 'Public pages of account holders, published or not. Kept: until the account is deleted';
comment on column accounts.public_page.account_id is 'pseudonym: Whose page';
comment on column accounts.public_page.sealed is 'content: Headline, summary, links and whether it is published, encrypted under the key of the account';
