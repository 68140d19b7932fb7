import { randomUUID } from "node:crypto";

import { idempotencyKey } from "@pro-talent/platform/http/idempotency-key";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { workProblems as problems } from "@pro-talent/schemas/analysts/work-calls";
import type { SignedIn } from "@pro-talent/schemas/primitives/access";
import type { FastifyRequest } from "fastify";
import { v5 as uuidV5 } from "uuid";

import type { CommandContext, CommandResult } from "../../kernel/commands.ts";
import { requestContext, storeProblem } from "../../kernel/http.ts";
import type { HttpContext } from "../../kernel/module.ts";
import type { Asking, SavedWorkRefusal } from "./decider.ts";
import type { DeliveryRefusal } from "./deliveries/decider.ts";
import type { WithheldResults } from "./deliveries/withheld.ts";

/** What the calls of saved work use. */
export type WorkRoutes = { readonly context: HttpContext; readonly withheld: WithheldResults };

/** A request of an account. */
export type Acting = {
  readonly asking: Asking;
  readonly issued: CommandContext & { readonly commandId: string };
  /** Of what the request makes, the same for a repetition. */
  readonly newId: string;
};

/** Namespace of ids that follow from a command's: drawn at random once, fixed for ever. */
const namespace = "0d5fb0de-3c64-4f0e-9d51-6a0f8f7c2b1e";

export function actingOf(
  { context }: WorkRoutes,
  caller: { readonly request: FastifyRequest; readonly account: SignedIn },
): Acting {
  const { accountId, roles } = caller.account;
  const commandId = idempotencyKey(caller.request) ?? randomUUID();
  const issued = requestContext(context, caller.request, `account:${accountId}`);
  return {
    asking: { accountId, roles },
    issued: { ...issued, commandId },
    newId: uuidV5(`${accountId} ${commandId}`, namespace),
  };
}

/** @throws ProblemError with the code of a refusal */
export function requireAnswer(result: CommandResult<SavedWorkRefusal | DeliveryRefusal>): void {
  if (result.kind === "answer") return;
  switch (result.code) {
    case "command_mismatch":
    case "version_conflict":
    case "process_superseded":
      throw storeProblem(result.code);
    default:
      throw new ProblemError(problems[result.code]);
  }
}

/** @throws ProblemError `not_found` of a value that is missing */
export function required<Value>(
  value: Value | undefined,
  code: "work_not_found" | "delivery_not_found" | "version_not_found",
): Value {
  if (value === undefined) throw new ProblemError(problems[code]);
  return value;
}
