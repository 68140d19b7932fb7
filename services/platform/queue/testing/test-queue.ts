import { createPostgresBackend, Queue } from "bullmq";
import { inject } from "vitest";

import { connectPostgres } from "../../postgres/connect.ts";
import { asRole } from "../../testing/engines.ts";
import { migrateQueue } from "../migrate-queue.ts";
import { losePostgresQueue } from "./lose-queue.ts";
import { hasTestRedis, startTestRedis } from "./start-redis.ts";

export type QueueBackend = "postgres" | "redis";

const { queue: chosen } = inject("engines");

/**
 * Where jobs wait in suites that a backend can fail by itself (delays, retries, duplicates, a lost queue): in both,
 * Redis where its server is installed. `TEST_QUEUE` chooses one for all suites.
 */
export const queueBackends: readonly QueueBackend[] =
  chosen === undefined ? ["postgres", ...(hasTestRedis ? ["redis" as const] : [])] : [chosen];

/** Where jobs wait in suites for which that makes no difference. */
export const usualBackend: QueueBackend = chosen ?? "postgres";

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

/** A store in which jobs of one queue wait, and a look at what it keeps. */
export type TestQueue = {
  /** For workers. */
  readonly url: string;
  /** BullMQ itself. */
  readonly bull: Bull;
  /** The names and periods of all schedules, in the order of their names. */
  readonly schedules: () => Promise<{ name: string; everyMs: number }[]>;
  /** Every job that is kept, whatever its state; of one name, if there is one. */
  readonly jobs: (name?: string) => Promise<{ name: string; data: unknown }[]>;
  /** How many jobs have not ended. */
  readonly unfinished: () => Promise<number>;
  /** Cuts every connection. @returns how many there were */
  readonly cutConnections: () => Promise<number>;
  /** Everything that it holds is gone, under running workers. */
  readonly lose: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * A queue of a service in a store of its own: in the service's database, or in a Redis of its own.
 * @param name of the queue: the service's
 */
export async function openTestQueue(
  backend: QueueBackend,
  { ownerUrl, name }: { ownerUrl: string; name: string },
): Promise<TestQueue> {
  const store = await (backend === "redis" ? redisStore(name) : postgresStore(ownerUrl, name));
  const { bull } = store;
  // Errors of cut connections are the concern of what is tested.
  bull.on("error", () => undefined);
  const unended = ["waiting", "active", "delayed", "prioritized"] as const;
  return {
    ...store,
    schedules: async () => {
      const kept = await bull.getJobSchedulers();
      return kept
        .map(({ key, every = 0 }) => ({ name: key, everyMs: Number(every) }))
        .toSorted((one, other) => one.name.localeCompare(other.name));
    },
    jobs: async (wanted) => {
      const kept = await bull.getJobs([...unended, "completed", "failed"]);
      return kept.flatMap(({ name: kind, data }) =>
        wanted === undefined || kind === wanted ? [{ name: kind, data: data as unknown }] : [],
      );
    },
    unfinished: async () => (await bull.getJobs([...unended])).length,
    close: async () => {
      await bull.close();
      await store.drop();
    },
  };
}

type Store = Pick<TestQueue, "url" | "bull" | "cutConnections" | "lose"> & {
  drop: () => Promise<void>;
};

async function postgresStore(ownerUrl: string, name: string): Promise<Store> {
  const url = asRole(ownerUrl, "jobs_app");
  await migrateQueue({ queueUrl: url, ownerUrl, name, role: "jobs_app" });
  const owner = connectPostgres(ownerUrl, { max: 1, applicationName: "test" });
  return {
    url,
    bull: new Queue(name, { connection: { connectionString: url, max: 1 } }, createPostgresBackend),
    cutConnections: async () => {
      const ended = await owner`
        select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = ${name} and datname = current_database()`;
      return ended.length;
    },
    lose: () => losePostgresQueue(owner),
    drop: () => owner.end(),
  };
}

async function redisStore(name: string): Promise<Store> {
  const { url, cutConnections, lose, stop } = await startTestRedis();
  const bull = new Queue(name, { connection: { url } });
  return { url, bull, cutConnections, lose, drop: stop };
}
