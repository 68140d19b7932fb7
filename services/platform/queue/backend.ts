import {
  createPostgresBackend,
  type Processor,
  Queue,
  type QueueOptions,
  Worker,
  type WorkerOptions,
} from "bullmq";

/** The one queue of the product; jobs differ by name. */
export const queueName = "jobs";

type Payload = Record<string, unknown>;
type Backend = {
  openQueue: (options: Omit<QueueOptions, "connection">) => BullQueue;
  /** Takes jobs at once. */
  openWorker: (
    processor: Processor<Payload, void>,
    options: Omit<WorkerOptions, "connection">,
  ) => BullWorker;
};

/** What both backends have in common. */
type Told = { on: (event: "error", listener: (error: Error) => void) => unknown };
export type BullQueue = Told &
  Pick<
    Queue<Payload, void>,
    | "add"
    | "close"
    | "getJobCounts"
    | "getJobSchedulers"
    | "removeJobScheduler"
    | "upsertJobScheduler"
  > & { waitUntilReady: () => Promise<unknown> };
type BullWorker = Told &
  Pick<Worker<Payload, void>, "close" | "isRunning"> & { waitUntilReady: () => Promise<unknown> };

/** How many connections a queue or a worker may hold, beside one that listens. */
const connectionsMax = 3;

/** Where a queue address leads. @throws when it is none */
export function backendKind(url: string): "postgres" | "redis" {
  const { protocol } = new URL(url);
  if (protocol === "postgres:" || protocol === "postgresql:") return "postgres";
  if (protocol === "redis:" || protocol === "rediss:") return "redis";
  throw new Error("A queue address begins with postgres://, redis:// or rediss://");
}

/** BullMQ on the store that a queue address leads to. @throws when it leads to none */
export function backendOf(url: string): Backend {
  return backendKind(url) === "postgres" ? postgresBackend(url) : redisBackend(url);
}

function postgresBackend(url: string): Backend {
  const connection = {
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    application_name: "queue",
    // The queue only wakes workers: what it forgets when the machine fails comes due again, and
    // waiting for the disk at each of its steps would slow down those whose facts must not be lost.
    options: "-c synchronous_commit=off",
    // Its tables are made by the owner beforehand; a service may not make tables.
    migrate: false,
  };
  return {
    openQueue: (options) => new Queue(queueName, { ...options, connection }, createPostgresBackend),
    openWorker: (processor, options) =>
      new Worker(queueName, processor, { ...options, connection }, createPostgresBackend),
  };
}

function redisBackend(url: string): Backend {
  return {
    openQueue: (options) =>
      new Queue(queueName, { ...options, connection: { url, enableOfflineQueue: false } }),
    openWorker: (processor, options) =>
      // A worker waits for Redis to come back, however long that takes.
      new Worker(queueName, processor, {
        ...options,
        connection: { url, maxRetriesPerRequest: null },
      }),
  };
}
