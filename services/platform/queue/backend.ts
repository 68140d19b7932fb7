import {
  createPostgresBackend,
  type Processor,
  Queue,
  type QueueOptions,
  Worker,
  type WorkerOptions,
} from "bullmq";

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
type ErrorEmitter = { on: (event: "error", listener: (error: Error) => void) => unknown };
export type BullQueue = ErrorEmitter &
  Pick<
    Queue<Payload, void>,
    | "add"
    | "close"
    | "getJobCounts"
    | "getJobSchedulers"
    | "remove"
    | "removeJobScheduler"
    | "upsertJobScheduler"
  > & { waitUntilReady: () => Promise<unknown> };
type BullWorker = ErrorEmitter &
  Pick<Worker<Payload, void>, "close" | "isRunning"> & { waitUntilReady: () => Promise<unknown> };

/** How many connections a queue or a worker may hold, beside one that listens. */
const connectionsMax = 3;

/** The store of a queue address. @throws when it names neither Postgres nor Redis */
export function backendKind(url: string): "postgres" | "redis" {
  const [protocol] = url.split("://");
  if (protocol === "postgres" || protocol === "postgresql") return "postgres";
  if (protocol === "redis" || protocol === "rediss" || protocol === "redis+sentinel")
    return "redis";
  throw new Error(
    "A queue address begins with postgres://, redis://, rediss:// or redis+sentinel://",
  );
}

const sentinelUrl =
  /^redis\+sentinel:\/\/(?::(?<password>[^@/]*)@)?(?<hosts>[\w.-]+(?::\d+)?(?:,[\w.-]+(?::\d+)?)*)\/(?<name>[\w.-]+)$/u;
const sentinelPort = 26_379;

type RedisAddress =
  | { url: string }
  | {
      sentinels: { host: string; port: number }[];
      name: string;
      password?: string;
      sentinelPassword?: string;
    };

/**
 * What the client of Redis needs: the address, or of `redis+sentinel://:password@host:port,host:port/name`
 * where its sentinels are, which name the Redis that takes writes now, under one password.
 * @throws when the address of sentinels has another form
 */
export function redisConnection(url: string): RedisAddress {
  if (!url.startsWith("redis+sentinel://")) return { url };
  const { password, hosts = "", name = "" } = sentinelUrl.exec(url)?.groups ?? {};
  if (name === "")
    throw new Error("Sentinels are stated as redis+sentinel://:password@host:port,host:port/name");
  const sentinels = hosts.split(",").map((address) => {
    const [host = "", port] = address.split(":");
    return { host, port: port === undefined ? sentinelPort : Number(port) };
  });
  const secret = password === undefined ? undefined : decodeURIComponent(password);
  const passwords = secret === undefined ? {} : { password: secret, sentinelPassword: secret };
  return { sentinels, name, ...passwords };
}

/**
 * BullMQ on the store of a queue address.
 * @param name of the queue: each service has its own, so that workers never take another's jobs
 * @throws when the address names neither Postgres nor Redis
 */
export function backendOf(url: string, name: string): Backend {
  return backendKind(url) === "postgres" ? postgresBackend(url, name) : redisBackend(url, name);
}

function postgresBackend(url: string, name: string): Backend {
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
    openQueue: (options) => new Queue(name, { ...options, connection }, createPostgresBackend),
    openWorker: (processor, options) =>
      new Worker(name, processor, { ...options, connection }, createPostgresBackend),
  };
}

function redisBackend(url: string, name: string): Backend {
  return {
    openQueue: (options) =>
      new Queue(name, {
        ...options,
        connection: { ...redisConnection(url), enableOfflineQueue: false },
      }),
    openWorker: (processor, options) =>
      // A worker waits for Redis to come back, however long that takes.
      new Worker(name, processor, {
        ...options,
        connection: { ...redisConnection(url), maxRetriesPerRequest: null },
      }),
  };
}
