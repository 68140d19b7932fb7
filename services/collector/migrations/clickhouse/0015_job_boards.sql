-- Job boards are a channel of their own.

ALTER TABLE {database}.events {on_cluster}
    COMMENT COLUMN channel 'operational: direct, search, social, email, assistant, jobs, referral, paid or internal';

ALTER TABLE {database}.sessions {on_cluster}
    COMMENT COLUMN channel 'direct, search, social, email, assistant, jobs, referral, paid or internal';

ALTER TABLE {database}.referrers_daily {on_cluster}
    COMMENT COLUMN channel 'direct, search, social, email, assistant, jobs, referral, paid or internal';
