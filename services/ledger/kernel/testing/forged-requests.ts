import { randomUUID } from "node:crypto";

/** Names a thing that the ledger does not have yet. */
export const newId = randomUUID();

export type Change = { table: string; upsert?: readonly object[]; delete?: readonly object[] };

/** An append of one event to a new stream of this category, with rows. */
export function appending(
  category: string,
  changes: readonly Change[],
  process: object | null = null,
) {
  const event = { id: randomUUID(), type: "Anything", sv: 1, meta: "{}", data: "{}" };
  const request = {
    command: randomUUID(),
    body: "00",
    stream: `${category}-${newId}`,
    expected: 0,
    events: [event],
    reply: "{}",
    changes,
    process,
  };
  return `select ledger.append('${JSON.stringify([request])}')`;
}

export const granted = (visitor: string, pos = 0): Change => ({
  table: "consent_current",
  upsert: [{ visitor_id: visitor, purpose: "analytics", granted: true, pos }],
});
export const timer = (stream: string, pos = 0): Change => ({
  table: "due_timer",
  upsert: [{ stream, name: "test.due", due_at: "2099-01-01T00:00:00Z", pos }],
});
export const outbox = (pos: number): Change => ({
  table: "outbox",
  upsert: [{ name: "contact.acknowledge", payload: {}, pos }],
});
export const inboxRow = (pos: number): Change => ({
  table: "contact_inbox",
  upsert: [{ message_id: newId, reference: "PT-0000-0000", status: "received", fact: {}, pos }],
});
/** A step of a follower from where it is, to a position. */
export const following = (follower: string, to: string, changes: readonly Change[] = []) => `
  select ledger.follow(c.follower, c.epoch, c.pos, c.epoch, ${to}, '${JSON.stringify(changes)}')
    from (select '${follower}' as follower, coalesce(max(pos), 0) as pos, 1 as epoch
            from ledger.checkpoint where follower = '${follower}') c`;
