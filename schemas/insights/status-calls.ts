import { z } from "zod";

import { defineCalls } from "../primitives/calls.ts";
import { Instant } from "../primitives/instant.ts";

const Count = z.number().min(0);
/** Null while the process that measures it does not answer. */
const figure = Count.nullable();

/** `waiting`: it runs, and lacks what is `missing`; `away`: it does not answer. */
const ProcessState = z.object({
  name: z.string(),
  state: z.enum(["ready", "waiting", "away"]),
  missing: z.array(z.string()),
});

/** How the product runs, from the figures that alerts are made of. */
const Status = z.object({
  asOf: Instant,
  processes: z.array(ProcessState),
  queues: z.array(
    z.object({
      service: z.string(),
      waiting: Count,
      active: Count,
      delayed: Count,
      failed: Count,
    }),
  ),
  spool: z.object({ bytes: figure, oldestSeconds: figure, shipping: z.boolean().nullable() }),
  /** Since the collector started. */
  drops: z.array(z.object({ reason: z.string(), count: Count })),
  ledger: z.object({
    head: figure,
    /** Of the read model or process that is furthest behind. */
    eventsBehind: figure,
    timersLate: figure,
    dutiesOverdue: figure,
    messagesGivenUp: figure,
    oldestMessageSeconds: figure,
  }),
  backups: z.object({ newestSeconds: figure, restoredSeconds: figure, archivedSeconds: figure }),
});
export type Status = z.infer<typeof Status>;

/** For administrators. */
export const statusCalls = defineCalls({
  "GET /api/console/status": {
    summary: "How the product runs: processes, queues, spool, ledger, backups",
    access: { roles: ["administrator"] },
    answer: Status,
  },
});
