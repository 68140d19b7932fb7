-- Portfolios: what an account publishes at its handle, a page in each language. What a person wrote and the
-- password are sealed under the key of the account, with which everything here is deleted.
create table studio.portfolio (
  account_id           uuid primary key references studio.data_key on delete cascade,
  state                text not null check (state in ('draft', 'published', 'unlisted')),
  -- Another id with each change of what readers see.
  revision             uuid not null,
  lock_id              uuid,
  sealed_password_hash bytea,
  expires_at           timestamptz,
  in_search            boolean not null,
  contact_form         boolean not null,
  created_at           timestamptz not null,
  check ((lock_id is null) = (sealed_password_hash is null))
);

create table studio.portfolio_page (
  account_id   uuid not null references studio.portfolio on delete cascade,
  language     text not null check (language in ('en', 'he')),
  current      int not null check (current >= 1),
  saved_at     timestamptz not null,
  published    int,
  published_at timestamptz,
  primary key (account_id, language),
  check ((published is null) = (published_at is null))
);

create table studio.portfolio_version (
  account_id      uuid not null,
  language        text not null,
  version         int not null,
  sealed_document bytea not null,
  saved_at        timestamptz not null,
  primary key (account_id, language, version),
  foreign key (account_id, language) references studio.portfolio_page on delete cascade
);

create table studio.portfolio_picture (
  file_id    uuid primary key,
  account_id uuid not null references studio.portfolio on delete cascade,
  width      int not null,
  height     int not null,
  sealed     bytea not null,
  stored_at  timestamptz not null
);
create index portfolio_picture_account on studio.portfolio_picture (account_id);

grant select, insert, update, delete on
  studio.portfolio, studio.portfolio_page, studio.portfolio_version, studio.portfolio_picture to studio_app;

comment on table studio.portfolio is 'Portfolios, one for each account. Kept: until the account is deleted';
comment on column studio.portfolio.account_id is 'pseudonym: Whose portfolio';
comment on column studio.portfolio.state is 'operational: Whether readers see it';
comment on column studio.portfolio.revision is 'pseudonym: Names what readers see';
comment on column studio.portfolio.lock_id is 'pseudonym: Names the password that is asked for';
comment on column studio.portfolio.sealed_password_hash is 'operational: Hash of the password that is asked for, encrypted under the key of the account';
comment on column studio.portfolio.expires_at is 'operational: From when readers see nothing any more';
comment on column studio.portfolio.in_search is 'operational: Whether search engines may list it';
comment on column studio.portfolio.contact_form is 'operational: Whether readers can write to its owner';
comment on column studio.portfolio.created_at is 'operational: When it was made';

comment on table studio.portfolio_page is 'Pages of portfolios, one for each language. Kept: until the holder deletes the page, or the account is deleted';
comment on column studio.portfolio_page.account_id is 'pseudonym: Whose page';
comment on column studio.portfolio_page.language is 'coarse: Language of the page';
comment on column studio.portfolio_page.current is 'operational: Number of the version that is edited';
comment on column studio.portfolio_page.saved_at is 'operational: When it was last edited';
comment on column studio.portfolio_page.published is 'operational: Number of the version that readers see';
comment on column studio.portfolio_page.published_at is 'operational: When that was published';

comment on table studio.portfolio_version is 'Versions of pages of portfolios: the last 50, and the published one. Kept: until the holder deletes the page, or the account is deleted';
comment on column studio.portfolio_version.account_id is 'pseudonym: Whose page';
comment on column studio.portfolio_version.language is 'coarse: Language of the page';
comment on column studio.portfolio_version.version is 'operational: Its number';
comment on column studio.portfolio_version.sealed_document is 'content: The document, encrypted under the key of the account';
comment on column studio.portfolio_version.saved_at is 'operational: When it was saved';

comment on table studio.portfolio_picture is 'Pictures of portfolios. Kept: until newer ones of its holder need the space, or the account is deleted';
comment on column studio.portfolio_picture.file_id is 'pseudonym: Identifies the picture';
comment on column studio.portfolio_picture.account_id is 'pseudonym: Whose picture';
comment on column studio.portfolio_picture.width is 'operational: In pixels';
comment on column studio.portfolio_picture.height is 'operational: In pixels';
comment on column studio.portfolio_picture.sealed is 'content: The picture without metadata, encrypted under the key of the account';
comment on column studio.portfolio_picture.stored_at is 'operational: When it was stored';
