import { randomUUID } from "node:crypto";

import { idempotencyKey } from "@pro-talent/platform/http/idempotency-key";
import type { SignedIn } from "@pro-talent/schemas/primitives/access";
import type { FastifyRequest } from "fastify";

import type { CommandContext } from "./kernel/commands.ts";
import { requestContext } from "./kernel/http.ts";
import type { HttpContext } from "./kernel/module.ts";

type Caller = { readonly request: FastifyRequest; readonly account: SignedIn };

/** A request of an account holder about what is theirs. */
export type Acting = {
  readonly accountId: string;
  readonly issued: CommandContext;
  /** The client's, so that a repetition is recognised. */
  readonly commandId: string;
};

export function actingOf(context: HttpContext, { request, account }: Caller): Acting {
  const { accountId } = account;
  const issued = requestContext(context, request, `account:${accountId}`);
  return { accountId, issued, commandId: idempotencyKey(request) ?? randomUUID() };
}
