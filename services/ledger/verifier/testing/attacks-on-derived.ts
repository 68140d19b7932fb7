import type { Targets } from "./attacked-ledger.ts";
import type { Attack } from "./attacks.ts";

/** What must be done because of the events, and what guards decisions. */
export function derivedAttacks(targets: Targets): readonly Attack[] {
  const { pending, confirmed, wordy, received, issue } = targets;
  const settled = "(select stream from ledger.event where type = 'ContactMatterSettled')";
  return [
    {
      name: "a ciphertext is exchanged",
      sql: `update ledger.event set sealed = '\\x00' where stream = '${confirmed}' and version = 1`,
      why: "sealed",
    },
    {
      name: "the hash of a ciphertext is exchanged",
      sql: `update ledger.event set sealed_hash = sha256('x') where stream = '${wordy}' and version = 1`,
      why: "sealed",
    },
    {
      name: "a ciphertext is dropped without a fact",
      sql: `update ledger.event set sealed = null where stream = '${pending}'`,
      why: "erased",
      about: `${pending}: the sealed part was dropped`,
    },
    {
      name: "a key is deleted without a fact",
      sql: `delete from ledger.subject where subject_id = (select key_id from ledger.event where stream = '${received}')`,
      why: "erased",
      about: `${received}: the key is gone`,
    },
    {
      name: "the consent gate of a visitor is flipped",
      sql: "update ledger.consent_current set granted = false where pos = 7000",
      why: "row",
      position: 7_000,
    },
    {
      name: "a guard row is deleted",
      sql: "delete from ledger.consent_current where pos = 7100",
      why: "row",
      position: 7_100,
    },
    {
      name: "a guard row is invented",
      sql: "insert into ledger.consent_current values (gen_random_uuid(), 'analytics', true, 7200)",
      why: "row",
      position: 7_200,
      about: "follows from no event",
    },
    {
      name: "a guard row names another event",
      sql: "update ledger.consent_current set pos = 7301 where pos = 7300",
      why: "row",
      about: "differs",
    },
    {
      name: "a subscriber counts as confirmed who is not",
      sql: `update ledger.newsletter_subscriber set status = 'confirmed' where subscriber_id = substr('${pending}', 12)::uuid`,
      why: "row",
      about: "newsletter_subscriber",
    },
    {
      name: "the content of a released issue is exchanged",
      sql: "update ledger.newsletter_issue set content_hash = repeat('0', 64)",
      why: "row",
      about: "newsletter_issue",
    },
    {
      name: "a consent receipt is changed",
      sql: "update ledger.consent_receipt set method = 'customise' where pos = 7400",
      why: "row",
      position: 7_400,
    },
    {
      name: "a contact message disappears from the inbox",
      sql: "delete from ledger.contact_inbox where status = 'settled'",
      why: "row",
      about: "is missing",
    },
    {
      name: "a place on the waitlist is invented",
      sql: "insert into ledger.waitlist_place values (gen_random_uuid(), now(), true, '{}', 1)",
      why: "row",
      about: "waitlist_place",
    },
    {
      name: "a follower's checkpoint is moved beyond the end",
      sql: "update ledger.checkpoint set pos = 900000 where follower = 'waitlist.follow-subscribers'",
      why: "checkpoint",
      about: "waitlist.follow-subscribers",
    },
    {
      name: "a timer is deleted",
      sql: `delete from ledger.due_timer where stream = '${pending}'`,
      why: "timer",
      about: `${pending} newsletter.erase-unconfirmed is missing`,
    },
    {
      name: "a timer is postponed",
      sql: `update ledger.due_timer set due_at = due_at + interval '1 year' where stream = '${received}' and name = 'contact.expire-message'`,
      why: "timer",
      about: "is due at another time",
    },
    {
      name: "a timer is marked as fired",
      sql: `update ledger.due_timer set fired_at = clock_timestamp() where stream = ${settled} and name = 'contact.erase-details'`,
      why: "timer",
      about: "counts as fired, and the erasure is no fact",
    },
    {
      name: "a timer is invented",
      sql: `insert into ledger.due_timer values ('${confirmed}', 'newsletter.erase-departed', now(), null, 2)`,
      why: "timer",
      about: "follows from no event",
    },
    {
      name: "a message is deleted",
      sql: "delete from ledger.outbox where id = 1",
      why: "outbox",
      about: "a message newsletter.confirm-address is missing",
    },
    {
      name: "a message is marked as delivered",
      sql: "update ledger.outbox set done_at = clock_timestamp() where id = 2",
      why: "outbox",
      about: "message 2, newsletter.confirm-address: counts as settled without an attempt",
    },
    {
      name: "a message is redirected to another subscriber",
      sql: `update ledger.outbox set payload = jsonb_set(payload, '{subscriberId}', to_jsonb(gen_random_uuid())) where id = 3`,
      why: "outbox",
      about: "message 3, newsletter.welcome: follows from no event",
    },
    {
      name: "a message is invented",
      sql: `insert into ledger.outbox (pos, name, payload) values (4, 'newsletter.welcome', '{"subscriberId":"x"}')`,
      why: "outbox",
      about: "follows from no event",
    },
    {
      name: "a part of an issue is requested for another issue",
      sql: `insert into ledger.outbox (pos, name, payload) select pos, 'newsletter.deliver-issue', '{"issueId":"x","part":7}'
        from ledger.event where stream = '${issue}'`,
      why: "outbox",
      about: "newsletter.deliver-issue: follows from no event",
    },
    {
      name: "the snapshot of a stream is changed",
      sql: `update ledger.snapshot set state = jsonb_set(state, '{status}', '"unsubscribed"')`,
      why: "snapshot",
      about: wordy,
    },
  ];
}

/** Functions, triggers and other things of the database that protect the ledger. */
export const codeAttacks: readonly Attack[] = [
  {
    name: "the append is replaced",
    sql: `create or replace function ledger.append(p_requests jsonb) returns table (outcome text, first_position bigint,
      last_position bigint, new_version int, answer text) language plpgsql security definer
      set search_path = ledger, pg_temp as $$ begin return; end $$`,
    why: "function",
    about: "ledger.append",
  },
  {
    name: "the append looks for names elsewhere",
    sql: "alter function ledger.follow set search_path = pg_temp, ledger",
    why: "function",
    about: "ledger.follow",
  },
  {
    name: "a destruction of keys runs with other rights",
    sql: "alter function ledger.shred_subject security invoker",
    why: "function",
    about: "ledger.shred_subject",
  },
  {
    name: "a function verify answers that all is well",
    sql: "create function ledger.verify() returns boolean language sql as 'select true'",
    why: "function",
    about: "ledger.verify",
  },
  {
    name: "a function of the migrations is dropped",
    sql: "drop function ledger.drop_stray_timers()",
    why: "function",
    about: "ledger.drop_stray_timers is missing",
  },
  {
    name: "the guard of events is dropped",
    sql: "drop trigger frozen on ledger.event",
    why: "protection",
    about: "trigger ledger.event.frozen is missing",
  },
  {
    name: "the guard against truncation is switched off",
    sql: "alter table ledger.event disable trigger frozen_truncate",
    why: "protection",
    about: "trigger ledger.event.frozen_truncate",
  },
  {
    name: "a trigger copies what is written",
    sql: `create function public.copy() returns trigger language plpgsql as $$ begin return new; end $$;
      create trigger copy before insert on ledger.subject for each row execute function public.copy()`,
    why: "protection",
    about: "trigger ledger.subject.copy",
  },
  {
    name: "a rule swallows what is written",
    sql: "create rule swallow as on delete to ledger.due_timer do instead nothing",
    why: "protection",
    about: "table ledger.due_timer has rules",
  },
  {
    name: "a policy hides rows",
    sql: `alter table ledger.stream enable row level security;
      create policy hide on ledger.stream using (version > 1)`,
    why: "protection",
    about: "table ledger.stream has row security, has policies",
  },
  {
    name: "a constraint of the chain is dropped",
    sql: "alter table ledger.event drop constraint event_stream_version_key",
    why: "protection",
    about: "constraint ledger.event UNIQUE (stream, version) is missing",
  },
  {
    name: "another table inherits from the events",
    sql: "create table public.more () inherits (ledger.event)",
    why: "protection",
    about: "table ledger.event inherits",
  },
  {
    name: "a table is no longer durable",
    sql: "alter table ledger.outbox set unlogged",
    why: "protection",
    about: "table ledger.outbox is not durable",
  },
  {
    name: "the consent gate shows consent for all",
    sql: `create or replace view ledger.consent_gate with (security_barrier = true) as
      select visitor_id, true as granted, pos from ledger.consent_current where purpose = 'analytics'`,
    why: "protection",
    about: "view ledger.consent_gate",
  },
  {
    name: "another event counts as an erasure",
    sql: "insert into ledger.erasure_event values ('newsletter', 'PreferencesChanged')",
    why: "protection",
    about: "erasure event newsletter PreferencesChanged",
  },
  {
    name: "a read model counts as built from other definitions",
    sql: "update ledger.read_model set definition_hash = repeat('0', 64) where name = 'waitlist_place'",
    why: "row",
    about: "waitlist_place was built from another definition",
  },
  {
    name: "a trigger watches every change of the schema",
    sql: `create function public.watch() returns event_trigger language plpgsql as $$ begin end $$;
      create event trigger watch on ddl_command_end execute function public.watch()`,
    why: "protection",
    about: "event trigger watch",
  },
];
