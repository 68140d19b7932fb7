-- Files of the current version of each CV, for plans that keep them. When one is due is part of the CV's own
-- row and set with each edit, so that no edit is missed.
alter table studio.cv add column files_due_at timestamptz;
update studio.cv set files_due_at = saved_at;
alter table studio.cv alter column files_due_at set not null;
create index cv_files_due on studio.cv (files_due_at);

create table studio.cv_file (
  cv_id      uuid not null,
  account_id uuid not null,
  format     text not null check (format in ('pdf', 'docx')),
  version    int not null,
  sealed     bytea not null,
  made_at    timestamptz not null,
  primary key (cv_id, format),
  foreign key (cv_id, account_id) references studio.cv (cv_id, account_id) on delete cascade
);
grant select, insert, update, delete on studio.cv_file to studio_app;

comment on column studio.cv.files_due_at is 'operational: When its files are next made or looked at';

comment on table studio.cv_file is 'Current files of CVs, of accounts whose plan keeps them. Kept: until the next edit, the end of the plan, or the deletion of the CV or the account';
comment on column studio.cv_file.cv_id is 'pseudonym: Of which CV';
comment on column studio.cv_file.account_id is 'pseudonym: Whose CV';
comment on column studio.cv_file.format is 'operational: PDF or DOCX';
comment on column studio.cv_file.version is 'operational: The version that it was made of';
comment on column studio.cv_file.sealed is 'content: The file, encrypted under the key of the account';
comment on column studio.cv_file.made_at is 'operational: When it was made';
