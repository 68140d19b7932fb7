import { randomUUID } from "node:crypto";

import { idempotencyKey } from "@pro-talent/platform/http/idempotency-key";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { SavedKind, WorkContent } from "@pro-talent/schemas/analysts/saved-work";
import { workProblems as problems } from "@pro-talent/schemas/analysts/work-calls";
import type { SignedIn } from "@pro-talent/schemas/primitives/access";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { FastifyRequest } from "fastify";
import { v5 as uuidV5 } from "uuid";

import type { CommandContext, CommandResult } from "../../kernel/commands.ts";
import { requestContext, storeProblem } from "../../kernel/http.ts";
import type { HttpContext } from "../../kernel/module.ts";
import type { Asking, SavedWorkRefusal } from "./decider.ts";
import type { DeliveryRefusal } from "./deliveries/decider.ts";
import type { WithheldResults } from "./deliveries/withheld.ts";
import { contentOf, visibleWork } from "./read-work.ts";

/** What the calls of saved work use. */
export type WorkRoutes = { readonly context: HttpContext; readonly withheld: WithheldResults };

export type Caller = { readonly request: FastifyRequest; readonly account: SignedIn };

/** A request of an account. */
export type Acting = {
  readonly asking: Asking;
  readonly issued: CommandContext & { readonly commandId: string };
  /** Of what the request makes, the same for a repetition. */
  readonly newId: string;
};

/** Namespace of ids that follow from a command's: drawn at random once, fixed for ever. */
const namespace = "0d5fb0de-3c64-4f0e-9d51-6a0f8f7c2b1e";

export function actingOf({ context }: WorkRoutes, caller: Caller): Acting {
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

/** Work that the account may see. @throws ProblemError `work_not_found` */
export async function openWork(
  { context }: WorkRoutes,
  { asking }: Acting,
  { kind, workId }: { readonly kind: SavedKind; readonly workId: string },
): Promise<{ readonly archivedAt: Instant | null; readonly content: WorkContent }> {
  const row = required(await visibleWork(context, workId, asking), "work_not_found");
  if (row.kind !== kind) throw new ProblemError(problems.work_not_found);
  const content = required(await contentOf(context, row), "work_not_found");
  return { archivedAt: row.archivedAt, content };
}

/** @throws ProblemError `query_not_withheld` with the reason, of a query whose small groups cannot be withheld */
export async function requireWithheld(
  { withheld }: WorkRoutes,
  content: WorkContent,
): Promise<void> {
  const refused = content.kind === "query" ? await withheld.check(content) : null;
  if (refused !== null) throw new ProblemError(problems.query_not_withheld, { errors: [refused] });
}
