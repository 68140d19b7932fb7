/** `about` is `<purpose>. Kept: <retention>`; `payload` lists the columns with a job's payload. */
type QueueTable = { about: string; payload?: readonly string[] };

const unused = { about: "Part of the queue that the product does not use. Kept: it is empty" };

/**
 * The queue's tables in Postgres (schema `bullmq`). The library makes them, so they have no comments
 * of ours. A payload consists of ids and numbers of a closed contract, class pseudonym; every other
 * column is operational.
 * @internal used by the check of all stored data alone
 */
export const queueTables: Readonly<Record<string, QueueTable>> = {
  dedup: unused,
  dedup_next: unused,
  event: { about: "What happened to jobs. Kept: the last ten thousand" },
  job: {
    about:
      "Jobs that wait, run or have ended. Kept: three days after completion, thirty after the last failure",
    payload: ["data"],
  },
  job_dependency: unused,
  job_log: unused,
  meta: { about: "Settings of the queue. Kept: for the life of the queue" },
  metrics: unused,
  migration: { about: "Applied migrations. Kept: for the life of the schema" },
  rate_limit: unused,
  relay_inbox: unused,
  relay_node: unused,
  relay_retained: unused,
  relay_subscription: unused,
  scheduler: {
    about: "Schedules of repeated jobs. Kept: as long as the service lists the schedule",
    payload: ["template_data"],
  },
};
