import { type CallDefinition, positionHeader } from "@pro-talent/schemas/primitives/calls";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Counter, Gauge, type Registry } from "prom-client";

import type { Queryable, Sql } from "../postgres/pool.ts";
import { Replica } from "../postgres/replica.ts";
import { PostgresUnavailable } from "../postgres/unavailable.ts";
import { ProblemError } from "./problem-details.ts";

/** Where the calls of a server read that may lag. */
export type Reads = { readonly primary: Sql; readonly replica: Replica | undefined };

const known = new WeakMap<object, Reads>();

/** Lets calls that `mayLag` read: from a replica if there is one, else from the primary. */
export function addReads(
  app: FastifyInstance,
  {
    sql,
    replicaUrl,
    metrics,
  }: { readonly sql: Sql; readonly replicaUrl: string | undefined; readonly metrics: Registry },
): void {
  const replica = replicaUrl === undefined ? undefined : openReplica(sql, replicaUrl, metrics);
  known.set(app.server, { primary: sql, replica });
  app.addHook("onClose", () => replica?.end());
}

/**
 * What the calls of a server read from; undefined for a server that says nothing about it.
 * @throws Error when a call may lag that changes something, is not of an account, or of a server that cannot read
 */
export function readsFor(
  app: FastifyInstance,
  name: string,
  { mayLag, access }: CallDefinition,
): Reads | undefined {
  const reads = known.get(app.server);
  const isOwnRead = name.startsWith("GET ") && typeof access !== "string";
  if (mayLag === true && !(isOwnRead && reads)) throw new Error(`${name} may not lag here`);
  return reads;
}

function openReplica(sql: Sql, url: string, metrics: Registry): Replica {
  const reads = new Counter({
    name: "replica_reads_total",
    help: "Calls that may read from the replica, by where they were answered: there, or why by the primary",
    labelNames: ["source"] as const,
    registers: [metrics],
  });
  const replica = new Replica(sql, url, {
    applicationName: "replica-reads",
    onRead: (source) => reads.inc({ source }),
  });
  new Gauge({
    name: "replica_lag_seconds",
    help: "Age of the newest transaction that the replica has replayed; not a number while it does not answer",
    registers: [metrics],
    async collect() {
      this.set((await replica.lagSeconds()) ?? Number.NaN);
    },
  });
  return replica;
}

export type Exchange = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly reads: Reads | undefined;
};

/**
 * Answers a call so that its caller never sees less than before. Every answer to a caller with an account carries the
 * position of what it acknowledges or shows; the caller sends the greatest one along, and a replica that has not
 * replayed it is not asked. A caller without a position reads from the primary. A position says nothing about a
 * person, and a wrong one harms its sender alone: too great a one costs the replica's answer, too small a one lets
 * the sender see less than before.
 * @throws ProblemError when an answer could not carry its position; whether anything was written is then not known
 */
export async function answerInOrder<Answer>(
  { request, reply, reads }: Exchange,
  { access, mayLag }: CallDefinition,
  work: (sql: Queryable | undefined) => Promise<Answer>,
): Promise<Answer> {
  const { primary, replica } = reads ?? {};
  if (replica === undefined || typeof access === "string") return await work(primary);
  const carry = (position: string) => void reply.header(positionHeader, position);
  try {
    if (mayLag === true) {
      const read = await replica.read(positionOf(request), work);
      carry(read.position);
      return read.answer;
    }
    const answer = await work(primary);
    carry(await replica.position());
    return answer;
  } catch (error) {
    if (error instanceof PostgresUnavailable)
      throw new ProblemError("upstream_unavailable", { retryAfterSeconds: 1, cause: error });
    // A refusal shows something too; without its position it is still a refusal.
    if (error instanceof ProblemError && error.problem.status < 500)
      await replica.position().then(carry, () => undefined);
    throw error;
  }
}

/** What a caller has seen; undefined when it does not say so in the form of a position. */
function positionOf({ headers }: FastifyRequest): string | undefined {
  const position = headers[positionHeader];
  return typeof position === "string" && /^[0-9a-f]{16}$/.test(position) ? position : undefined;
}
