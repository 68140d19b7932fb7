-- Visitors who consented to analytics are recognised for longer than 48 hours.
ALTER TABLE {database}.link_opens {on_cluster}
    COMMENT COLUMN visitor_id 'pseudonym: One visitor of one link: random for 48 hours, or with consent a keyed hash; zero for none';
