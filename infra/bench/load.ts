import autocannon from "autocannon";

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
export type NextRequest = () => { path: string; body: string; headers: Record<string, string> };

/** Loads one address for some seconds over kept-alive connections and reports what came back. */
export async function load(options: {
  url: string;
  connections: number;
  seconds: number;
  next: NextRequest;
}): Promise<LoadResult> {
  let accepted = 0;
  let refused = 0;
  const result = await autocannon({
    url: options.url,
    connections: options.connections,
    duration: options.seconds,
    requests: [
      {
        method: "POST",
        setupRequest: (request) => Object.assign(request, options.next()),
        onResponse: (status) => {
          if (status === 202) accepted += 1;
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
