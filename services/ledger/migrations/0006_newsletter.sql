-- Newsletter: who is written to, and about what. The address is not here: it is sealed in the
-- subscriber's stream under the subscriber's own key.

-- Where a subscriber stands; nobody who is erased has a row. Written with the append, since issues
-- are sent by it. Two tables, because an event puts whole rows and says only one of the two.
create table ledger.newsletter_standing (
  subscriber_id uuid   primary key,
  status        text   not null
    check (status in ('pending', 'confirmed', 'unsubscribed', 'bounced', 'complained')),
  pos           bigint not null
);
create index on ledger.newsletter_standing (subscriber_id) where status = 'confirmed';

-- What a subscriber wishes for. topics: the names, separated by commas.
create table ledger.newsletter_wishes (
  subscriber_id uuid   primary key,
  language      text   not null,
  frequency     text   not null,
  topics        text   not null,
  pos           bigint not null
);

-- Both together: an issue's readers are those who are confirmed.
create view ledger.newsletter_subscriber with (security_barrier = true) as
  select s.subscriber_id, s.status, s.status = 'confirmed' as confirmed,
         w.language, w.frequency, w.topics, greatest(s.pos, w.pos) as pos
    from ledger.newsletter_standing s join ledger.newsletter_wishes w using (subscriber_id);

select ledger.register_table('newsletter_standing', 'inline', 'newsletter_subscriber'),
       ledger.register_table('newsletter_wishes', 'inline', 'newsletter_subscriber');

grant select on ledger.newsletter_standing, ledger.newsletter_wishes, ledger.newsletter_subscriber
  to ledger_app;
