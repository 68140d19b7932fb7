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
    await connection.pool.query(grants(options));
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
