import { randomUUID } from "node:crypto";

import type { Queryable } from "@pro-talent/platform/postgres/pool";

type RawEvent = {
  readonly stream: string;
  readonly type: string;
  readonly schemaVersion?: number;
  /** JSON. */
  readonly data?: string;
  /** Base64. */
  readonly sealed?: string;
  readonly keyId?: string;
};

/** Appends one event past all contracts of the code, as another program could. */
export async function rawAppend(sql: Queryable, event: RawEvent): Promise<void> {
  const { stream, type, schemaVersion: sv = 1, data = "{}", sealed = null, keyId = null } = event;
  const stored = { id: randomUUID(), type, sv, meta: "{}", data, sealed, key_id: keyId };
  const request = { command: randomUUID(), body: "00", stream, expected: -3, events: [stored] };
  const requests = JSON.stringify([{ ...request, reply: "{}", changes: [], process: null }]);
  await sql`select from ledger.append(${requests}::text::jsonb)`;
}
