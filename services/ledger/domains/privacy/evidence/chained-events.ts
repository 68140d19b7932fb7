import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import { ChainedEvent } from "@pro-talent/schemas/privacy/evidence";
import { z } from "zod";

import { decodeEvent } from "../../../kernel/events.ts";
import { Cause, type RecordedEvent } from "../../../kernel/types.ts";
import { privacyEvents } from "../requests.ts";

const Row = ChainedEvent.extend({ position: z.int(), version: z.int() });

/** An event of a request: what it says, who brought it about, and its place in the hash chain. */
export type ProvenEvent = Pick<RecordedEvent<PrivacyEvent>, "event" | "position" | "version"> & {
  readonly at: RecordedEvent<PrivacyEvent>["occurredAt"];
  readonly actor: string;
  readonly chained: ChainedEvent;
};

/** The events of a request in their order, with the fields that the ledger's chain covers. */
export async function provenEvents(
  sql: Queryable,
  requestId: string,
): Promise<readonly ProvenEvent[]> {
  const rows = await sql<object[]>`
    select pos::int as position, version, encode(prev, 'hex') as previous, encode(hash, 'hex') as hash,
           array[pos::text, epoch::text, stream, version::text, event_id::text, command_id::text, type,
                 schema_version::text,
                 (extract(epoch from occurred_at) * 1000)::bigint::text,
                 (extract(epoch from recorded_at) * 1000)::bigint::text,
                 meta, data, coalesce(key_id::text, '-'), coalesce(encode(sealed_hash, 'hex'), '-')
                ] as fields
      from ledger.event where stream = ${privacyEvents.streamOf(requestId)} order by version`;
  return z
    .array(Row)
    .parse(rows)
    .map(({ position, version, ...chained }) => {
      const [type = "", schemaVersion = "", occurredMs = ""] = chained.fields.slice(6, 9);
      const [meta = "", data = ""] = chained.fields.slice(10, 12);
      return {
        position,
        version,
        at: instantFromMs(Number(occurredMs)),
        event: decodeEvent(privacyEvents, { type, schemaVersion: Number(schemaVersion), data }),
        actor: Cause.shape.actor
          .catch("unknown")
          .parse(Cause.partial().parse(JSON.parse(meta)).actor),
        chained,
      };
    });
}
