-- The collector asks whose cookie came with the request for a share link.
create index sign_in_session_owner on accounts.sign_in_session (owner_hash);
