import type { z } from "zod";

import { PayloadRefused } from "./job-failures.ts";

/** The fields of a payload, and no others: what is not named in the contract is refused. */
export type PayloadSchema = z.ZodObject<z.core.$ZodLooseShape, z.core.$strict>;

export type JobDefinition<Schema extends PayloadSchema> = {
  /** `<service>.<what it does>`, unique in the product. */
  readonly name: string;
  /** Ids and numbers only: payloads are kept by the queue, where nothing erases them. */
  readonly payload: Schema;
  readonly retry: {
    /** Including the first. */
    readonly attempts: number;
    /** Before the second attempt; doubled before each further one. */
    readonly backoffMs: number;
  };
};

/** A job and what it does, ready for a worker; the type of the payload stays inside. */
export type RunnableJob = {
  readonly name: string;
  /** @throws {PayloadRefused} before anything is done */
  readonly run: (payload: unknown) => Promise<void>;
};

/** Says what a job is called, what it receives, and how often it is tried. */
export function defineJob<Schema extends PayloadSchema>(
  definition: JobDefinition<Schema>,
): JobDefinition<Schema> {
  return definition;
}

/** Joins a job with its handler, which gets the parsed payload and returns when all is done. */
export function handleJob<Schema extends PayloadSchema>(
  definition: JobDefinition<Schema>,
  handler: (payload: z.output<Schema>) => Promise<void>,
): RunnableJob {
  return {
    name: definition.name,
    run: async (payload) => handler(parsePayload(definition, payload)),
  };
}

/** @throws {PayloadRefused} naming the fields that are wrong, never their values */
export function parsePayload<Schema extends PayloadSchema>(
  definition: JobDefinition<Schema>,
  payload: unknown,
): z.output<Schema> {
  const parsed = definition.payload.safeParse(payload);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map((issue) => issue.path.join(".") || "payload");
  throw new PayloadRefused(definition.name, fields);
}
