import { Agent, request } from "node:http";

import type { LoadResult, NextRequest } from "./load.ts";

type Sample = { status: number; ms: number };

/**
 * Requests that arrive by chance, so many a second on average (a Poisson process), whether earlier
 * ones were answered or not. Each is measured from when it was due, so that a server that falls
 * behind cannot hide it.
 */
export async function steadyLoad(options: {
  url: string;
  perSecond: number;
  seconds: number;
  next: NextRequest;
  /** The status of an answer that counts. */
  status: number;
}): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const begin = performance.now();
  const end = begin + options.seconds * 1000;
  const pending: Promise<Sample>[] = [];
  for (let due = begin; due < end; due += waitMs(options.perSecond)) {
    await reached(due);
    pending.push(send(options.url, agent, options.next()).then((status) => sample(status, due)));
  }
  const samples = await Promise.all(pending);
  agent.destroy();
  return figures(samples, options);
}

/** Times between arrivals are exponentially distributed. */
function waitMs(perSecond: number): number {
  return (-Math.log(1 - Math.random()) * 1000) / perSecond;
}

async function reached(time: number): Promise<void> {
  const left = time - performance.now();
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
}

function sample(status: number, due: number): Sample {
  return { status, ms: performance.now() - due };
}

/** Resolves with the status once the whole answer is there; 0 when there was none. */
function send(url: string, agent: Agent, { path, headers, body }: ReturnType<NextRequest>) {
  return new Promise<number>((resolve) => {
    const outgoing = request(new URL(path, url), { method: "POST", agent, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode ?? 0));
      answer.on("error", () => resolve(0));
    });
    outgoing.on("error", () => resolve(0));
    outgoing.end(body);
  });
}

function figures(
  samples: readonly Sample[],
  { seconds, status }: { seconds: number; status: number },
): LoadResult {
  const times = samples.map(({ ms }) => ms).toSorted((left, right) => left - right);
  const at = (share: number): number =>
    Math.round(times[Math.ceil(share * times.length) - 1] ?? Number.NaN);
  const accepted = samples.filter((one) => one.status === status).length;
  return {
    perSecond: accepted / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    accepted,
    refused: samples.length - accepted,
  };
}
