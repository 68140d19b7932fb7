import { createLogger } from "../../runtime/logger.ts";
import { createTestPostgres } from "../../testing/engines.ts";
import { connectQueue, type JobQueue } from "../connect-queue.ts";
import type { RunnableJob } from "../define-job.ts";
import { type AttemptEnd, type QueueWorker, workOnQueue } from "../work-on-queue.ts";
import { openTestQueue, type QueueBackend } from "./test-queue.ts";

/** A queue in a store of its own, as a service uses it, and a look at what it keeps. */
export async function openQueueUnderTest(backend: QueueBackend) {
  const postgres = await createTestPostgres();
  const store = await openTestQueue(backend, { ownerUrl: postgres.ownerUrl, name: "jobs" });
  const { url, bull } = store;
  const log = createLogger({ service: "test", level: "silent" });
  const queue: JobQueue = await connectQueue(url, { name: "jobs", log });
  const workers: QueueWorker[] = [];
  return {
    url,
    queue,
    /** BullMQ itself, to look at what is kept. */
    bull,
    /** Cuts every connection to the store. @returns how many there were */
    cutConnections: store.cutConnections,
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
      await store.close();
      await postgres.drop();
    },
  };
}
export type QueueUnderTest = Awaited<ReturnType<typeof openQueueUnderTest>>;
