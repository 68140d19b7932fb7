import { type Field, fields, type Holding } from "./classes.ts";

const KEPT = "Three days after a job was done, thirty after it failed for good";
const UNUSED = "Nothing is written: the product does not use it";

const queue = fields({ operational: { queue: "Which queue" } });
const payload = (name: string): Record<string, Field> =>
  fields({ pseudonym: { [name]: "What the job is told: ids and numbers of a closed contract" } });

function holding(
  name: string,
  about: { purpose: string; retention: string },
  known: Record<string, Field>,
): Holding {
  return { store: "postgres", name: `bullmq.${name}`, ...about, fields: known };
}

/** Parts of the queue's own tables that serve what the product does not use. */
function unused(name: string, purpose: string, columns: string): Holding {
  const known = Object.fromEntries(columns.split(" ").map((column) => [column, "Part of it"]));
  return holding(name, { purpose, retention: UNUSED }, fields({ operational: known }));
}

const jobFields = {
  ...queue,
  ...payload("data"),
  ...fields({
    operational: {
      id: "Names the job",
      seq: "Place in the queue",
      name: "Which kind of job",
      state: "Whether it waits, runs, is done or failed",
      opts: "How often it is tried and how long it is kept",
      priority: "What goes first",
      delay_ms: "How long it waits",
      max_attempts: "How often it may be tried",
      attempts_made: "How often it failed or was done",
      attempts_started: "How often it was begun",
      progress: "How far it is; not used",
      return_value: "What it returned: nothing",
      failed_reason: "Class and code of the last error, never its message",
      stacktrace: "Places of errors in the program",
      deferred_failure: "Error of a job that it waited for; not used",
      processed_by: "Which worker took it; not used",
      added_at_ms: "When it was asked for",
      process_at_ms: "When it is due",
      processed_at_ms: "When it was begun",
      finished_at_ms: "When it ended",
      lock_token: "Which worker holds it",
      locked_until_ms: "Until when",
      stalled_count: "How often its worker went silent",
      stalled_marked: "Whether its worker is silent now",
      dedup_id: "Which jobs are one; not used",
      scheduler_id: "Which schedule asked for it",
      parent_queue: "Job that waits for it; not used",
      parent_id: "Job that waits for it; not used",
      parent_key: "Job that waits for it; not used",
      pending_deps: "How many jobs it waits for; not used",
    },
  }),
};

const schedulerFields = {
  ...queue,
  ...payload("template_data"),
  ...fields({
    operational: {
      scheduler_id: "Names the schedule",
      name: "Which kind of job",
      next_run_ms: "When it is due next",
      pattern: "Calendar rule; not used",
      every_ms: "How often",
      tz: "Time zone of the rule; not used",
      start_date_ms: "When it begins",
      end_date_ms: "When it ends",
      limit_count: "How often at most",
      iteration_count: "How often it was due",
      template_opts: "How often a job is tried and how long it is kept",
      producer_id: "Job that asks for the next one",
      offset_ms: "Shift of the moment",
    },
  }),
};

const migrationFields = fields({
  operational: {
    version: "Which step",
    name: "Its name",
    min_client_version: "Oldest program that understands it",
    applied_at: "When it was applied",
  },
});

/** The queue's tables in Postgres, as its library makes them. */
export const queueHoldings: Holding[] = [
  holding("job", { purpose: "Work that waits, runs or has ended", retention: KEPT }, jobFields),
  holding(
    "scheduler",
    { purpose: "What is to be done again and again", retention: "As long as the host lists it" },
    schedulerFields,
  ),
  holding(
    "event",
    { purpose: "What happened to jobs, for whoever listens", retention: "The last ten thousand" },
    {
      ...queue,
      ...fields({
        operational: {
          id: "Place in the sequence",
          event: "What happened",
          data: "Job and state; for a failure the class of the error",
          created_at_ms: "When",
        },
      }),
    },
  ),
  holding(
    "meta",
    { purpose: "Settings of the queue", retention: "For the life of the queue" },
    { ...queue, ...fields({ operational: { field: "Which setting", value: "Its value" } }) },
  ),
  holding(
    "migration",
    { purpose: "Which migrations were applied", retention: "For the life of the schema" },
    migrationFields,
  ),
  unused("dedup", "Jobs that stand for others", "queue dedup_id job_id expire_at_ms"),
  unused("dedup_next", "Jobs that follow those that stand for others", "queue dedup_id payload"),
  unused(
    "job_dependency",
    "Jobs that wait for others",
    "parent_queue parent_id child_queue child_id child_key status value",
  ),
  unused("job_log", "Lines that jobs write about themselves", "queue job_id idx row"),
  unused("metrics", "Ended jobs by minute", "queue kind count prev_ts prev_count data"),
  unused("rate_limit", "Jobs in a span of time", "queue points expire_at_ms"),
  unused("relay_inbox", "Messages between nodes", "id ns node_id kind topic mid ts data endpoints"),
  unused(
    "relay_node",
    "Nodes that take messages",
    "ns node_id lease_until registered_at last_heartbeat info backlog dropped in_flight",
  ),
  unused("relay_retained", "Messages that are kept", "ns topic mid ts data expires_at"),
  unused("relay_subscription", "Who takes which messages", "ns node_id endpoint_id pattern root"),
];
