-- AI assistants are a channel of their own, and referring Android apps are known by their package.

ALTER TABLE {database}.events {on_cluster}
    COMMENT COLUMN channel 'operational: direct, search, social, email, assistant, referral, paid or internal',
    COMMENT COLUMN referrer_domain 'content: Domain or Android app that led to the visit session, empty when none; never the whole address';

ALTER TABLE {database}.sessions {on_cluster}
    COMMENT COLUMN channel 'direct, search, social, email, assistant, referral, paid or internal',
    COMMENT COLUMN referrer_domain 'Domain or Android app that led here, empty when none';

ALTER TABLE {database}.referrers_daily {on_cluster}
    COMMENT COLUMN channel 'direct, search, social, email, assistant, referral, paid or internal',
    COMMENT COLUMN referrer_domain 'Domain or Android app that led here, empty when none';
