import { PostgresConnection } from "bullmq";

import { backendKind } from "./backend.ts";

/** Where BullMQ keeps its tables and functions. */
const schema = "bullmq";

/**
 * Brings the queue's tables up to date, as the database's owner, and lets a role use them: rows,
 * never the tables themselves. Nothing to do for Redis. Safe beside other migrations.
 * @param options.name of the queue; like the role of a fixed set, never input
 * @param options.role an existing role
 */
export async function migrateQueue(options: {
  queueUrl: string;
  ownerUrl: string;
  name: string;
  role: string;
}): Promise<"nothing to do" | "up to date"> {
  if (backendKind(options.queueUrl) === "redis") return "nothing to do";
  const connection = new PostgresConnection({
    connectionString: options.ownerUrl,
    max: 1,
    application_name: "queue-migrate",
    migrate: true,
    schema,
  });
  try {
    await connection.waitUntilReady();
    // One transaction, under a lock: two at once would conflict on the grants.
    await connection.pool.query(grants(options) + comments());
  } finally {
    await connection.close();
  }
  return "up to date";
}

function grants({ name, role }: { name: string; role: string }): string {
  return `
    select pg_advisory_xact_lock(hashtext('queue grants'));
    -- Makes the sequence of the queue's numbers, which BullMQ would else make with the first job.
    select ${schema}.next_job_id('${name}');
    revoke all on all functions in schema ${schema} from public;
    grant usage on schema ${schema} to ${role};
    grant select, insert, update, delete on all tables in schema ${schema} to ${role};
    revoke insert, update, delete on ${schema}.migration from ${role};
    grant usage, select on all sequences in schema ${schema} to ${role};
    grant execute on all functions in schema ${schema} to ${role};`;
}

const notUsed = "Part of the queue that the product does not use. Kept: it is empty";

/** Purpose and retention. The library makes its tables without comments. */
const tables: Readonly<Record<string, string>> = {
  dedup: notUsed,
  dedup_next: notUsed,
  event: "What happened to jobs. Kept: the last ten thousand",
  job: "Jobs that wait, run or have ended. Kept: three days after completion, thirty after the last failure",
  job_dependency: notUsed,
  job_log: notUsed,
  meta: "Settings of the queue. Kept: for the life of the queue",
  metrics: notUsed,
  migration: "Applied migrations. Kept: for the life of the schema",
  rate_limit: notUsed,
  relay_inbox: notUsed,
  relay_node: notUsed,
  relay_retained: notUsed,
  relay_subscription: notUsed,
  scheduler: "Schedules of repeated jobs. Kept: as long as the service lists the schedule",
};

/** Columns that no comment classifies are the library's own work. */
function comments(): string {
  const payload = "'pseudonym: Ids and numbers of a closed contract'";
  return [
    ...Object.entries(tables).map(([name, about]) => `table ${schema}.${name} is '${about}'`),
    `column ${schema}.job.data is ${payload}`,
    `column ${schema}.scheduler.template_data is ${payload}`,
  ]
    .map((comment) => `comment on ${comment};`)
    .join("\n");
}
