-- CVs, their versions and photos. What a person wrote is sealed under a key of their account, which is wrapped
-- under the key of an epoch; those keys are outside the database. Deleting the account's key deletes everything.
-- Times are those of the service's clock: no default reads the clock of the database.
do $$
begin
  if to_regrole('studio_app') is null then
    raise exception 'The role studio_app does not exist; it is made before the migrations';
  end if;
end $$;

create table studio.key_epoch (
  key_id    text primary key,
  used_from timestamptz not null
);

create table studio.ended_epoch (
  key_id       text primary key,
  ended_at     timestamptz not null,
  destroyed_at timestamptz
);

-- Of an account, whose id it has.
create table studio.data_key (
  key_id     uuid primary key,
  wrapped    bytea not null,
  epoch_id   text not null references studio.key_epoch,
  created_at timestamptz not null
);
create index data_key_epoch on studio.data_key (epoch_id);

create table studio.cv (
  cv_id          uuid primary key,
  account_id     uuid not null references studio.data_key on delete cascade,
  sealed_title   bytea not null,
  language       text not null check (language in ('en', 'he')),
  template       text not null,
  current        int not null check (current between 1 and newest),
  newest         int not null,
  other_language uuid references studio.cv on delete set null,
  created_at     timestamptz not null,
  saved_at       timestamptz not null,
  archived_at    timestamptz,
  unique (cv_id, account_id)
);
create index cv_account on studio.cv (account_id);
create index cv_other_language on studio.cv (other_language);

create table studio.cv_version (
  cv_id           uuid not null,
  account_id      uuid not null,
  version         int not null,
  sealed_document bytea not null,
  sealed_name     bytea,
  saved_at        timestamptz not null,
  -- Where undo leads to, and redo after it.
  undo_to         int,
  redo_to         int,
  primary key (cv_id, version),
  foreign key (cv_id, account_id) references studio.cv (cv_id, account_id) on delete cascade,
  foreign key (cv_id, undo_to) references studio.cv_version on delete set null (undo_to),
  foreign key (cv_id, redo_to) references studio.cv_version on delete set null (redo_to)
);

create table studio.photo (
  file_id    uuid primary key,
  cv_id      uuid not null,
  account_id uuid not null,
  sealed     bytea not null,
  stored_at  timestamptz not null,
  foreign key (cv_id, account_id) references studio.cv (cv_id, account_id) on delete cascade
);
create index photo_cv on studio.photo (cv_id);

-- The search that ends an erasure reads every row of every table, and looks for a value that it planted
-- itself as well.
create table studio.search_decoy (
  decoy_id   uuid        primary key,
  words      text,
  document   jsonb,
  bytes      bytea,
  planted_at timestamptz not null default clock_timestamp()
);

grant usage on schema studio to studio_app;
grant select on all tables in schema studio to studio_app;
alter default privileges in schema studio grant select on tables to studio_app;
grant insert, update, delete on
  studio.key_epoch, studio.ended_epoch, studio.data_key, studio.cv, studio.cv_version, studio.photo,
  studio.search_decoy to studio_app;

comment on table studio.migration is 'Migrations that were applied. Kept: for the life of the schema';
comment on column studio.migration.name is 'operational: File of the migration';
comment on column studio.migration.hash is 'operational: Proves that the file did not change';
comment on column studio.migration.applied_at is 'operational: When it was applied';

comment on table studio.key_epoch is 'Epochs of keys that wrap the keys of accounts. Kept: until the epoch ends';
comment on column studio.key_epoch.key_id is 'operational: Names the key, which is outside the database';
comment on column studio.key_epoch.used_from is 'operational: When it began';

comment on table studio.ended_epoch is 'Evidence that keys of epochs were destroyed. Kept: for the life of the schema';
comment on column studio.ended_epoch.key_id is 'operational: Names the key';
comment on column studio.ended_epoch.ended_at is 'operational: When the epoch ended';
comment on column studio.ended_epoch.destroyed_at is 'operational: When its key was destroyed';

comment on table studio.data_key is 'Keys that CVs are sealed under, one for each account. Kept: until the account is deleted';
comment on column studio.data_key.key_id is 'pseudonym: Id of the account';
comment on column studio.data_key.wrapped is 'operational: The key, encrypted under that of an epoch';
comment on column studio.data_key.epoch_id is 'operational: Names the epoch';
comment on column studio.data_key.created_at is 'operational: When it was made';

comment on table studio.cv is 'CVs. Kept: until the holder deletes the CV, or the account is deleted';
comment on column studio.cv.cv_id is 'pseudonym: Identifies the CV';
comment on column studio.cv.account_id is 'pseudonym: Whose CV';
comment on column studio.cv.sealed_title is 'content: What its holder calls it, encrypted under the key of the account';
comment on column studio.cv.language is 'coarse: Language of the CV';
comment on column studio.cv.template is 'operational: How it is set';
comment on column studio.cv.current is 'operational: Number of the version that is the CV now';
comment on column studio.cv.newest is 'operational: The last number that a version was given';
comment on column studio.cv.other_language is 'pseudonym: The CV of the same person in the other language';
comment on column studio.cv.created_at is 'operational: When it was made';
comment on column studio.cv.saved_at is 'operational: When it was last edited';
comment on column studio.cv.archived_at is 'operational: Since when it is archived';

comment on table studio.cv_version is 'Versions of CVs: the last 200, of older ones the last of each day for 90 days, and those with a name. Kept: until the holder deletes the CV, or the account is deleted';
comment on column studio.cv_version.cv_id is 'pseudonym: Of which CV';
comment on column studio.cv_version.account_id is 'pseudonym: Whose CV';
comment on column studio.cv_version.version is 'operational: Its number';
comment on column studio.cv_version.sealed_document is 'content: The document, encrypted under the key of the account';
comment on column studio.cv_version.sealed_name is 'content: Name that the holder gave it, encrypted under the key of the account';
comment on column studio.cv_version.saved_at is 'operational: When it was saved';
comment on column studio.cv_version.undo_to is 'operational: The version that was edited';
comment on column studio.cv_version.redo_to is 'operational: The version that was taken back';

comment on table studio.photo is 'Photos of CVs. Kept: until the holder deletes the CV, or the account is deleted';
comment on column studio.photo.file_id is 'pseudonym: Identifies the photo';
comment on column studio.photo.cv_id is 'pseudonym: Of which CV';
comment on column studio.photo.account_id is 'pseudonym: Whose photo';
comment on column studio.photo.sealed is 'content: The picture without metadata, encrypted under the key of the account';
comment on column studio.photo.stored_at is 'operational: When it was stored';

comment on table studio.search_decoy is 'Values that a search after an erasure plants to see whether it finds them. Kept: while the search runs; what a process left that ended, an hour';
comment on column studio.search_decoy.decoy_id is 'operational: Names the search';
comment on column studio.search_decoy.words is 'operational: A random value in a text';
comment on column studio.search_decoy.document is 'operational: A random value in JSON';
comment on column studio.search_decoy.bytes is 'operational: A random value as bytes';
comment on column studio.search_decoy.planted_at is 'operational: When it was planted';
