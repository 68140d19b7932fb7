import { createPostgresBackend, Queue } from "bullmq";

import { createLogger } from "../../runtime/logger.ts";
import { asRole, createTestPostgres } from "../../testing/engines.ts";
import { connectQueue, type JobQueue } from "../connect-queue.ts";
import type { RunnableJob } from "../define-job.ts";
import { migrateQueue } from "../migrate-queue.ts";
import { type AttemptEnd, type QueueWorker, workOnQueue } from "../work-on-queue.ts";

/** A queue in a database of its own, as a service uses it, and a look at what it keeps. */
export async function openQueueUnderTest() {
  const postgres = await createTestPostgres();
  const url = asRole(postgres.ownerUrl, "jobs_app");
  await migrateQueue({
    queueUrl: url,
    ownerUrl: postgres.ownerUrl,
    name: "jobs",
    role: "jobs_app",
  });
  const log = createLogger({ service: "test", level: "silent" });
  const queue: JobQueue = await connectQueue(url, { name: "jobs", log });
  const workers: QueueWorker[] = [];
  const bull = new Queue(
    "jobs",
    { connection: { connectionString: url, max: 1 } },
    createPostgresBackend,
  );
  // Errors of cut connections are the concern of the queue under test.
  bull.on("error", () => undefined);
  return {
    url,
    ownerUrl: postgres.ownerUrl,
    queue,
    /** BullMQ itself, to look at what is kept. */
    bull,
    work: async (jobs: readonly RunnableJob[], onEnd?: (end: AttemptEnd) => void) => {
      const worker = await workOnQueue(url, { name: "jobs", jobs, log, ...(onEnd && { onEnd }) });
      workers.push(worker);
      return worker;
    },
    /** Ends the workers of one test. */
    rest: async () => {
      await Promise.all(workers.splice(0).map((worker) => worker.close()));
    },
    close: async () => {
      await queue.close();
      await bull.close();
      await postgres.drop();
    },
  };
}
export type QueueUnderTest = Awaited<ReturnType<typeof openQueueUnderTest>>;
