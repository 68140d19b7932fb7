-- Consent: who may be told what is known, and what the collector asks before it stores anything.

-- The latest fact about a visitor and a purpose; written with the append, since it gates collection.
create table ledger.consent_current (
  visitor_id uuid    not null,
  purpose    text    not null,
  granted    boolean not null,
  pos        bigint  not null,
  primary key (visitor_id, purpose)
);

-- One row per decision that left a fact; follows by position.
create table ledger.consent_receipt (
  receipt_id       uuid    primary key,
  visitor_id       uuid    not null,
  purpose          text    not null,
  granted          boolean not null,
  method           text    not null,
  notice_version   text,
  notice_language  text,
  notice_text_hash text,
  pos              bigint  not null
);
create index on ledger.consent_receipt (visitor_id, pos desc);

-- All that the collector may see of the ledger.
create view ledger.consent_gate with (security_barrier = true) as
  select visitor_id, granted from ledger.consent_current where purpose = 'analytics';

select ledger.register_table('consent_current', 'inline', 'current_consent'),
       ledger.register_table('consent_receipt', 'async', 'consent_history');

grant select on ledger.consent_current, ledger.consent_receipt, ledger.consent_gate to ledger_app;
grant select on ledger.consent_gate to collector_app;
