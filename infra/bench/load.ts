import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

import autocannon from "autocannon";

import { quantile } from "./figures.ts";

export type LoadResult = {
  /** Answers with the expected status, per second of the whole round. */
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  accepted: number;
  /** Answers with any other status, and requests without an answer. */
  refused: number;
};

/** One request of the load: made anew for every send, so that no two bodies are alike. */
export type NextRequest = () => {
  path: string;
  /** Of a POST; a request without it is a GET. */
  body?: string;
  headers: Record<string, string>;
};

/** Before a first round, until the engine has compiled what is hot. */
export const warmUpSeconds = 6;

/**
 * Loads one address for some seconds over kept-alive connections; 202 is the expected status, unless
 * another is given.
 */
export async function load(options: {
  url: string;
  connections: number;
  seconds: number;
  next: NextRequest;
  method?: "GET" | "POST";
  expected?: number;
}): Promise<LoadResult> {
  const { method = "POST", expected = 202 } = options;
  let accepted = 0;
  let refused = 0;
  const result = await autocannon({
    url: options.url,
    connections: options.connections,
    duration: options.seconds,
    requests: [
      {
        method,
        setupRequest: (prepared) => Object.assign(prepared, options.next()),
        onResponse: (status) => {
          if (status === expected) accepted += 1;
          else refused += 1;
        },
      },
    ],
  });
  return {
    perSecond: accepted / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    accepted,
    refused: refused + result.errors,
  };
}

/**
 * Requests that arrive by chance, so many a second on average (a Poisson process), whether earlier
 * ones were answered or not; 200 is the expected status, unless another is given. Each is measured from when it was due, so
 * that a server that falls behind cannot hide it.
 */
export async function steadyLoad(options: {
  url: string;
  perSecond: number;
  seconds: number;
  next: NextRequest;
  expected?: number;
}): Promise<LoadResult & { readonly p95Ms: number }> {
  const { url, perSecond, seconds, next, expected = 200 } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const begin = performance.now();
  const pending: Promise<{ status: number; ms: number }>[] = [];
  for (let due = begin; due < begin + seconds * 1000; due += msToNextArrival(perSecond)) {
    const early = due - performance.now();
    if (early > 0) await delay(early);
    const answered = send(url, agent, next());
    pending.push(answered.then((status) => ({ status, ms: performance.now() - due })));
  }
  const samples = await Promise.all(pending);
  agent.destroy();
  const times = samples.map(({ ms }) => ms);
  const accepted = samples.filter(({ status }) => status === expected).length;
  return {
    perSecond: accepted / seconds,
    p50Ms: Math.round(quantile(times, 0.5)),
    p95Ms: Math.round(quantile(times, 0.95)),
    p99Ms: Math.round(quantile(times, 0.99)),
    accepted,
    refused: samples.length - accepted,
  };
}

/**
 * As many readers, each of which asks again as soon as it is answered, until the signal.
 * @returns answers by status
 */
export async function readUntil(
  signal: AbortSignal,
  { url, readers }: { url: string; readers: number },
): Promise<ReadonlyMap<number, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: readers });
  const statuses = new Map<number, number>();
  async function reader(): Promise<void> {
    while (!signal.aborted) {
      const status = await send(url, agent, { path: url, headers: {} });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  await Promise.all(Array.from({ length: readers }, reader));
  agent.destroy();
  return statuses;
}

/** Times between arrivals are exponentially distributed. */
function msToNextArrival(perSecond: number): number {
  return (-Math.log(1 - Math.random()) * 1000) / perSecond;
}

/** Resolves with the status once the whole answer has arrived; 0 when there was none. */
function send(
  url: string,
  agent: Agent,
  { path, headers, body }: { path: string; headers: Record<string, string>; body?: string },
) {
  const method = body === undefined ? "GET" : "POST";
  return new Promise<number>((resolve) => {
    const outgoing = request(new URL(path, url), { method, agent, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode ?? 0));
      answer.on("error", () => resolve(0));
    });
    outgoing.on("error", () => resolve(0));
    outgoing.end(body);
  });
}
