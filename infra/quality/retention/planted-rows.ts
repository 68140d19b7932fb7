import { randomBytes, randomUUID } from "node:crypto";

import type { Sql } from "@pro-talent/platform/postgres/connect";

/** The condition that finds a planted row. */
export type Planted = {
  readonly table: string;
  readonly column: string;
  readonly value: string | Buffer;
};

/** Makes a row of a table whose retention counts from this moment. */
export type Plant = (owner: Sql, at: Date) => Promise<Planted>;

const hash = (): Buffer => randomBytes(32);
const day = 86_400_000;

async function account(owner: Sql): Promise<string> {
  const id = randomUUID();
  await owner`
    insert into accounts.account (account_id, address_hash, sealed_email, sealed_profile, language,
      time_zone, password_hash, created_at)
    values (${id}, ${hash()}, '', '', 'he', 'UTC', 'x', now())`;
  await owner`
    insert into accounts.data_key (key_id, account_id, epoch_id, wrapped, created_at)
    select ${id}, ${id}, key_id, '', now() from accounts.key_epoch limit 1`;
  return id;
}

async function session(owner: Sql, at: Date): Promise<string> {
  const id = randomUUID();
  await owner`
    insert into accounts.sign_in_session (token_hash, session_id, account_id, owner_hash, factor,
      signed_in_at, authenticated_at, last_used_at)
    values (${hash()}, ${id}, ${await account(owner)}, ${hash()}, false, ${at}, ${at}, now())`;
  return id;
}

/** A row of each table of Postgres that a repeated job deletes from. */
export const plants: Readonly<Record<string, Plant>> = {
  "accounts.access_token": async (owner, at) => {
    const value = randomUUID();
    await owner`
      insert into accounts.access_token
        (token_hash, token_id, account_id, prefix, sealed_name, scopes, created_at, expires_at)
      values (${hash()}, ${value}, ${await account(owner)}, 'x', '', '{links:read}', ${at}, ${at})`;
    return { table: "accounts.access_token", column: "token_id", value };
  },
  "accounts.attempt": async (owner, at) => {
    const value = hash();
    await owner`insert into accounts.attempt (key_hash, count, counted_at) values (${value}, 1, ${at})`;
    return { table: "accounts.attempt", column: "key_hash", value };
  },
  "accounts.challenge": async (owner, at) => {
    const value = hash();
    await owner`
      insert into accounts.challenge (challenge_hash, kind, state, expires_at)
      values (${value}, 'second-factor', '{}', ${at})`;
    return { table: "accounts.challenge", column: "challenge_hash", value };
  },
  "accounts.download_ticket": async (owner, at) => {
    const value = hash();
    await owner`
      insert into accounts.download_ticket (ticket_hash, session_id, path, expires_at)
      values (${value}, ${await session(owner, new Date())}, '/', ${at})`;
    return { table: "accounts.download_ticket", column: "ticket_hash", value };
  },
  "accounts.known_device": async (owner, at) => {
    const value = await account(owner);
    await owner`
      insert into accounts.known_device (account_id, device_hash, last_used_at)
      values (${value}, ${hash()}, ${at})`;
    return { table: "accounts.known_device", column: "account_id", value };
  },
  "accounts.mail_token": async (owner, at) => {
    const value = hash();
    await owner`
      insert into accounts.mail_token
        (token_hash, purpose, invitation_id, address_hash, sealed_email, language, expires_at, key_id)
      values (${value}, 'invitation', ${randomUUID()}, ${hash()}, '', 'en', ${at}, ${randomUUID()})`;
    return { table: "accounts.mail_token", column: "token_hash", value };
  },
  "accounts.recovery": async (owner, at) => {
    const value = randomUUID();
    const begun = new Date(at.getTime() - 3 * day);
    await owner`
      insert into accounts.recovery
        (recovery_id, account_id, operator, requested_at, due_at, ended_at, outcome)
      values (${value}, ${await account(owner)}, 'x', ${begun}, ${at}, ${at}, 'refused')`;
    return { table: "accounts.recovery", column: "recovery_id", value };
  },
  "accounts.requested_mail": async (owner, at) => {
    const value = randomUUID();
    await owner`
      insert into accounts.requested_mail (mail_id, kind, sealed, requested_at, due_at, given_up_at, key_id)
      values (${value}, 'registration', '', ${at}, ${at}, ${at}, ${randomUUID()})`;
    return { table: "accounts.requested_mail", column: "mail_id", value };
  },
  // Of an account that is gone.
  "accounts.role_change": async (owner, at) => {
    const value = randomUUID();
    await owner`
      insert into accounts.role_change (change_id, account_id, role, granted, operator, changed_at)
      values (${value}, ${randomUUID()}, 'officer', true, 'x', ${at})`;
    return { table: "accounts.role_change", column: "change_id", value };
  },
  "accounts.sign_in_session": async (owner, at) => ({
    table: "accounts.sign_in_session",
    column: "session_id",
    value: await session(owner, at),
  }),
  "collector.erasure": async (owner, at) => {
    const value = randomUUID();
    await owner`
      insert into collector.erasure (erasure_id, subject_kind, subject_id, requested_at, erased_at)
      values (${value}, 'account', ${randomUUID()}, ${at}, ${at})`;
    return { table: "collector.erasure", column: "erasure_id", value };
  },
  "collector.event_claim": async (owner, at) => {
    const value = randomUUID();
    await owner`
      insert into collector.event_claim (event_id, segment, claimed_at)
      values (${value}, ${randomUUID()}, ${at})`;
    return { table: "collector.event_claim", column: "event_id", value };
  },
  "collector.open_visitor": async (owner, at) => {
    const value = randomUUID();
    await owner`
      insert into collector.open_visitor (link_id, key, visitor_id, since)
      values (${value}, ${randomBytes(16)}, ${randomUUID()}, ${at})`;
    return { table: "collector.open_visitor", column: "link_id", value };
  },
  "ledger.issue_delivery": async (owner, at) => {
    const value = randomUUID();
    await owner`
      insert into ledger.issue_delivery (issue_id, subscriber_id, state, settled_at)
      values (${randomUUID()}, ${value}, 'sent', ${at})`;
    return { table: "ledger.issue_delivery", column: "subscriber_id", value };
  },
  "ledger.mailbox_mail": async (owner, at) => {
    const value = hash();
    await owner`
      insert into ledger.mailbox_mail (mailbox, mail, counted_at) values (${value}, 'x', ${at})`;
    return { table: "ledger.mailbox_mail", column: "mailbox", value };
  },
  "ledger.operator_action": async (owner, at) => {
    const value = randomUUID();
    await owner`
      insert into ledger.operator_action (at, operator, action, concerns)
      values (${at}, 'x', 'outbox.retry', ${value})`;
    return { table: "ledger.operator_action", column: "concerns", value };
  },
  "ledger.outbox": async (owner, at) => {
    const value = `test.${randomBytes(8).toString("hex")}`;
    await owner`
      insert into ledger.outbox (pos, name, payload, added_at, due_at, done_at)
      values (0, ${value}, '{}', ${at}, ${at}, ${at})`;
    return { table: "ledger.outbox", column: "name", value };
  },
};
