import { createPostgresBackend, Queue } from "bullmq";

import { connectPostgres } from "../../postgres/connect.ts";
import { createLogger } from "../../runtime/logger.ts";
import { asRole, createTestPostgres } from "../../testing/engines.ts";
import { connectQueue, type JobQueue } from "../connect-queue.ts";
import type { RunnableJob } from "../define-job.ts";
import { migrateQueue } from "../migrate-queue.ts";
import { type AttemptEnd, type QueueWorker, workOnQueue } from "../work-on-queue.ts";
import { startTestRedis } from "./start-redis.ts";

/** What tests look at, of both backends. */
type Bull = Pick<
  Queue,
  | "add"
  | "close"
  | "getJob"
  | "getJobCounts"
  | "getJobSchedulers"
  | "getJobSchedulersCount"
  | "getJobState"
  | "getJobs"
> & { on: (event: "error", listener: () => void) => unknown };

/** Where the jobs wait, and how its connections are cut and it ends. */
type Store = {
  readonly url: string;
  readonly bull: Bull;
  readonly cutConnections: () => Promise<number>;
  readonly drop: () => Promise<void>;
};

async function openPostgresStore(): Promise<Store> {
  const postgres = await createTestPostgres();
  const { ownerUrl } = postgres;
  const url = asRole(ownerUrl, "jobs_app");
  await migrateQueue({ queueUrl: url, ownerUrl, name: "jobs", role: "jobs_app" });
  const connection = { connectionString: url, max: 1 };
  return {
    url,
    bull: new Queue("jobs", { connection }, createPostgresBackend),
    cutConnections: async () => {
      const owner = connectPostgres(ownerUrl, { max: 1, applicationName: "test" });
      const ended = await owner`
        select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'jobs' and datname = current_database()`;
      await owner.end();
      return ended.length;
    },
    drop: () => postgres.drop(),
  };
}

async function openRedisStore(): Promise<Store> {
  const redis = await startTestRedis();
  const { url, cutConnections, stop } = redis;
  return { url, bull: new Queue("jobs", { connection: { url } }), cutConnections, drop: stop };
}

/** A queue in a store of its own, as a service uses it, and a look at what it keeps. */
export async function openQueueUnderTest(backend: "postgres" | "redis") {
  const store = await (backend === "redis" ? openRedisStore() : openPostgresStore());
  const { url, bull } = store;
  const log = createLogger({ service: "test", level: "silent" });
  const queue: JobQueue = await connectQueue(url, { name: "jobs", log });
  const workers: QueueWorker[] = [];
  // Errors of cut connections are the concern of the queue under test.
  bull.on("error", () => undefined);
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
      await bull.close();
      await store.drop();
    },
  };
}
export type QueueUnderTest = Awaited<ReturnType<typeof openQueueUnderTest>>;
