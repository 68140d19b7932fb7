-- Mail that a visitor requests can reach a mailbox whose holder never asked for it. A mailbox is known
-- here by a keyed hash alone, the same for all of its names; no row leads to an address.

-- Who receives nothing more. Not part of a data subject: it outlives every erasure.
create table ledger.do_not_mail (
  mailbox  bytea       primary key check (length(mailbox) = 32),
  reason   text        not null check (reason in ('never_again', 'complaint', 'operator')),
  added_at timestamptz not null default clock_timestamp()
);

-- The mails of the last day, each counted once, however often it is attempted.
create table ledger.mailbox_mail (
  mailbox    bytea       not null check (length(mailbox) = 32),
  mail       text        not null check (mail <> ''),
  counted_at timestamptz not null default clock_timestamp(),
  primary key (mailbox, mail)
);
create index on ledger.mailbox_mail (counted_at);

-- admitted | used_up (as many mails as p_most were counted within a day) | do_not_mail. A mail that was
-- admitted before is admitted again.
create function ledger.admit_mail(p_mailbox bytea, p_mail text, p_most int) returns text
language plpgsql security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('mailbox ' || encode(p_mailbox, 'hex'), 0));
  if exists (select from do_not_mail d where d.mailbox = p_mailbox) then return 'do_not_mail'; end if;
  if exists (select from mailbox_mail m where m.mailbox = p_mailbox and m.mail = p_mail) then
    return 'admitted';
  end if;
  if p_most <= (select count(*) from mailbox_mail m where m.mailbox = p_mailbox
                   and m.counted_at > clock_timestamp() - interval '1 day') then return 'used_up'; end if;
  insert into mailbox_mail (mailbox, mail) values (p_mailbox, p_mail);
  return 'admitted';
end $$;

-- The first reason stays.
create function ledger.block_mailbox(p_mailbox bytea, p_reason text) returns void
language sql security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
  insert into do_not_mail (mailbox, reason) values (p_mailbox, p_reason) on conflict do nothing
$$;

create function ledger.forget_mailbox_mails() returns bigint
language plpgsql security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
declare forgotten bigint;
begin
  delete from mailbox_mail where counted_at < clock_timestamp() - interval '1 day';
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;

-- An issue mail that may have been delivered is attempted once more, hours later; after a second such
-- attempt, or another delay, it counts as refused (see delay_delivery).
create function ledger.doubt_delivery(p_issue uuid, p_subscriber uuid) returns void language plpgsql
security definer set search_path = ledger, pg_temp set lock_timeout = '5s' as $$
begin
  update issue_delivery d
     set tries = 11, due_at = clock_timestamp() + interval '4 h',
         state = case when d.tries >= 11 then 'refused' else 'waiting' end,
         settled_at = case when d.tries >= 11 then clock_timestamp() end
   where d.issue_id = p_issue and d.subscriber_id = p_subscriber and d.state = 'waiting';
  if not found then raise exception 'The delivery is not waiting'; end if;
end $$;

revoke all on function ledger.admit_mail, ledger.block_mailbox, ledger.forget_mailbox_mails,
  ledger.doubt_delivery from public;
grant execute on function ledger.admit_mail, ledger.block_mailbox, ledger.forget_mailbox_mails,
  ledger.doubt_delivery to ledger_app;
grant select on ledger.do_not_mail, ledger.mailbox_mail to ledger_app;

comment on table ledger.do_not_mail is 'Mailboxes that receive nothing more, because their holder said so. Kept: until the holder asks to be taken off; it outlives the erasure of a subscriber';
comment on column ledger.do_not_mail.mailbox is 'pseudonym: Keyed hash of the mailbox, the same for all of its names';
comment on column ledger.do_not_mail.reason is 'operational: Link in a mail, complaint, or operator';
comment on column ledger.do_not_mail.added_at is 'operational: When it was added';

comment on table ledger.mailbox_mail is 'Limits the mails that visitors can have sent to one mailbox. Kept: for a day, at most an hour longer';
comment on column ledger.mailbox_mail.mailbox is 'pseudonym: Keyed hash of the mailbox, the same for all of its names';
comment on column ledger.mailbox_mail.mail is 'pseudonym: Id of the mail; contains the subscriber or the contact message';
comment on column ledger.mailbox_mail.counted_at is 'operational: When it was counted';
