/** `payload` lists the columns that carry a job's payload. */
type QueueTable = { purpose: string; kept: string; payload?: readonly string[] };

const unused = { purpose: "Part of the queue that the product does not use", kept: "it is empty" };

/**
 * The queue's tables in Postgres (schema `bullmq`). The library makes them, so they have no comments
 * of ours. A payload consists of ids and numbers of a closed contract, class pseudonym; every other
 * column is operational.
 * @internal used by the check of all stored data alone
 */
export const queueTables: Readonly<Record<string, QueueTable>> = {
  dedup: unused,
  dedup_next: unused,
  event: { purpose: "What happened to jobs", kept: "the last ten thousand" },
  job: {
    purpose: "Jobs that wait, run or have ended",
    kept: "three days after completion, thirty after the last failure",
    payload: ["data"],
  },
  job_dependency: unused,
  job_log: unused,
  meta: { purpose: "Settings of the queue", kept: "for the life of the queue" },
  metrics: unused,
  migration: { purpose: "Applied migrations", kept: "for the life of the schema" },
  rate_limit: unused,
  relay_inbox: unused,
  relay_node: unused,
  relay_retained: unused,
  relay_subscription: unused,
  scheduler: {
    purpose: "Schedules of repeated jobs",
    kept: "as long as the service lists the schedule",
    payload: ["template_data"],
  },
};
