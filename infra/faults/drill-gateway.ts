import { readFileSync } from "node:fs";
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";

import { choosePort } from "../embedded/ports.ts";

/** How Caddy is configured to use several instances of a service, in milliseconds. */
const policy = (() => {
  const caddyfile = readFileSync(new URL("../docker/Caddyfile", import.meta.url), "utf8");
  const msOf = (name: string): number => {
    const [, value = "", unit] = new RegExp(`\\b${name} (\\d+)(m?s)\\b`, "u").exec(caddyfile) ?? [];
    if (value === "") throw new Error(`The Caddyfile has no ${name}`);
    return Number(value) * (unit === "s" ? 1000 : 1);
  };
  const [, methods = ""] = /lb_retry_match \{\s+method ([A-Z ]+)/u.exec(caddyfile) ?? [];
  const [, header = ""] = /lb_retry_match \{\s+header (\S+) \*/u.exec(caddyfile) ?? [];
  return {
    everyMs: msOf("health_interval"),
    timeoutMs: msOf("health_timeout"),
    failMs: msOf("fail_duration"),
    tryMs: msOf("lb_try_duration"),
    pauseMs: msOf("lb_try_interval"),
    keepAliveMs: msOf("keepalive"),
    methods: methods.split(" "),
    header: header.toLowerCase(),
  };
})();

/** How long a service has to be drained: until the gateway has noticed, and half a second more. */
export const drainMs = policy.everyMs + policy.timeoutMs + 500;

type Upstream = { url: string; healthy: boolean; failedUntilMs: number };
type Answer = { status: number; headers: IncomingMessage["headers"]; body: Buffer };
/** What was sent on for one request, and how often it was repeated. */
export type GatewayCounts = { requests: number; repeated: number; unanswered: number };

/** Instances of a service in turn, without those that say that they stop, or that just failed. */
class Pool {
  readonly #upstreams: readonly Upstream[];
  readonly #checking: NodeJS.Timeout;
  #turn = 0;

  constructor(urls: readonly string[]) {
    this.#upstreams = urls.map((url) => ({ url, healthy: true, failedUntilMs: 0 }));
    this.#checking = setInterval(() => void this.#check(), policy.everyMs);
  }

  /** Undefined when none can be used now. */
  next(): Upstream | undefined {
    const now = performance.now();
    const usable = this.#upstreams.filter((one) => one.healthy && one.failedUntilMs <= now);
    this.#turn += 1;
    return usable[this.#turn % usable.length];
  }

  stop(): void {
    clearInterval(this.#checking);
  }

  async #check(): Promise<void> {
    const check = async (upstream: Upstream): Promise<void> => {
      const signal = AbortSignal.timeout(policy.timeoutMs);
      const answered = fetch(`${upstream.url}/healthz`, { signal });
      upstream.healthy = await answered.then(
        ({ ok }) => ok,
        () => false,
      );
    };
    await Promise.all(this.#upstreams.map(check));
  }
}

/** What never reached an instance may be sent to another one. */
const isDialError = (error: unknown): boolean =>
  error instanceof Error && "syscall" in error && error.syscall === "connect";

/** Whether Caddy repeats what broke off. */
const mayBeRepeated = ({ method = "", headers }: IncomingMessage): boolean =>
  policy.methods.includes(method) || headers[policy.header] !== undefined;

/**
 * Stands before several instances of services as the gateway of the containers does: in turn, with its health
 * checks, and repeating what it repeats, all of it read from the Caddyfile.
 * @param instances addresses by the name of their service
 * @param serviceOf whose a path is
 */
export async function startDrillGateway(
  instances: Readonly<Record<string, readonly string[]>>,
  serviceOf: (path: string) => string,
) {
  const pools = new Map(Object.entries(instances).map(([name, urls]) => [name, new Pool(urls)]));
  const agent = new Agent({ keepAlive: true, timeout: policy.keepAliveMs });
  const counts: GatewayCounts = { requests: 0, repeated: 0, unanswered: 0 };
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const pool = pools.get(serviceOf(request.url ?? ""));
    const from = performance.now();
    counts.requests += 1;
    for (;;) {
      const upstream = pool?.next();
      try {
        if (upstream !== undefined) {
          const { status, headers, body: answered } = await forward(agent, upstream, request, body);
          return void response.writeHead(status, headers).end(answered);
        }
      } catch (error) {
        if (upstream !== undefined) upstream.failedUntilMs = performance.now() + policy.failMs;
        if (!isDialError(error) && !mayBeRepeated(request)) break;
      }
      if (performance.now() - from > policy.tryMs) break;
      counts.repeated += 1;
      await delay(policy.pauseMs);
    }
    counts.unanswered += 1;
    response.writeHead(502).end();
  };
  // Longer than callers keep a connection: what they lose by reusing one that ends says nothing about services.
  const server = createServer({ keepAliveTimeout: 300_000 }, (request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  const port = await choosePort();
  await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    counts: counts as Readonly<GatewayCounts>,
    stop: (): void => {
      for (const pool of pools.values()) pool.stop();
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

/** @throws the error of the connection, also when it breaks within the answer */
function forward(
  agent: Agent,
  { url }: Upstream,
  { url: path = "/", method = "GET", headers }: IncomingMessage,
  body: Buffer,
): Promise<Answer> {
  const { connection: _hop, "transfer-encoding": _chunked, ...passedOn } = headers;
  return new Promise((resolve, reject) => {
    const sent = { ...passedOn, "content-length": String(body.length) };
    const outgoing = openRequest(new URL(path, url), { method, agent, headers: sent }, (answer) => {
      buffer(answer).then((answered) => {
        const {
          connection: _own,
          "keep-alive": _time,
          "transfer-encoding": _parts,
          ...kept
        } = answer.headers;
        resolve({ status: answer.statusCode ?? 502, headers: kept, body: answered });
      }, reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
