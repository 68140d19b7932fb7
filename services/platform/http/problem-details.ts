import {
  type FieldError,
  type PlatformProblemCode,
  platformProblems,
  Problem,
  type ProblemDefinition,
} from "@pro-talent/schemas/primitives/problem";
import type { FastifyReply } from "fastify";

/** A refusal with a stable code. Thrown inside routes, answered as RFC 9457 problem details. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly problem: ProblemDefinition;
  readonly errors: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  /** @param problem a code of the platform, or the definition of a domain's problem */
  constructor(
    problem: PlatformProblemCode | ProblemDefinition,
    details: { errors?: readonly FieldError[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    const definition = typeof problem === "string" ? platformProblems[problem] : problem;
    super(definition.code, details.cause === undefined ? undefined : { cause: details.cause });
    this.problem = definition;
    this.errors = details.errors;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }

  get code(): string {
    return this.problem.code;
  }
}

/** The body of a refusal (RFC 9457 §3). */
export function problemBody(
  problem: PlatformProblemCode | ProblemDefinition,
  requestId: string,
  errors?: readonly FieldError[],
): Problem {
  const { code, status, title } = typeof problem === "string" ? platformProblems[problem] : problem;
  return {
    type: `urn:pro-talent:problem:${code}`,
    title,
    status,
    code,
    requestId,
    ...(errors === undefined ? {} : { errors: [...errors] }),
  };
}

/** The problem that a reply is about to send, for hooks; undefined for every other payload. */
export function sentProblem(reply: FastifyReply, payload: unknown): Problem | undefined {
  const type = String(reply.getHeader("content-type") ?? "");
  if (!type.startsWith("application/problem+json") || typeof payload !== "string") return undefined;
  return Problem.parse(JSON.parse(payload));
}
