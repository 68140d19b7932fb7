import { randomUUID } from "node:crypto";

import { addCalls } from "@pro-talent/platform/http/add-calls";
import { idempotencyKey } from "@pro-talent/platform/http/idempotency-key";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import { breachCalls, breachProblems as problems } from "@pro-talent/schemas/breaches/calls";
import type { BreachFacts } from "@pro-talent/schemas/breaches/events";
import type { SignedIn } from "@pro-talent/schemas/primitives/access";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { v5 as uuidV5 } from "uuid";

import type { Sealed } from "../../kernel/append.ts";
import type { Json } from "../../kernel/canonical-json.ts";
import { runCommand } from "../../kernel/commands.ts";
import { requestContext, storeProblem, unavailable } from "../../kernel/http.ts";
import type { HttpContext } from "../../kernel/module.ts";
import { breaches, breachText } from "./breaches.ts";
import type { BreachCommand } from "./decider.ts";
import { findBreach, listedBreaches } from "./register.ts";

/** Namespace of the ids of breaches: drawn at random once, fixed for ever. */
const breachNamespace = "3d0a7d2e-6a1f-4c7b-8c55-0f1f6f0a9b21";

type Caller = { readonly request: FastifyRequest; readonly account: SignedIn };
type Issued = {
  readonly id: string;
  readonly command: BreachCommand;
  readonly sealed?: Sealed & { readonly type: SealedType };
};
type SealedType = "BreachRecorded" | "BreachCorrected" | "AuthorityDecided" | "SubjectsDecided";

const recorded = { status: "recorded" as const };

/** @throws ProblemError when the command is refused */
async function issue(context: HttpContext, caller: Caller, issued: Issued) {
  const { request, account } = caller;
  const result = await runCommand(context.ledger, breaches, {
    ...requestContext(context, request, `officer:${account.accountId}`),
    ...issued,
    body: issued.command,
    commandId: idempotencyKey(request),
  }).catch(unavailable);
  if (result.kind === "answer") return recorded;
  switch (result.code) {
    case "version_differs":
      throw new ProblemError("version_conflict");
    case "command_mismatch":
    case "version_conflict":
    case "process_superseded":
      throw storeProblem(result.code);
    default:
      throw new ProblemError(problems[result.code]);
  }
}

/** What is written is sealed under the key of the breach, which is made with the first of it. */
async function sealedFor(context: HttpContext, id: string, text: Json): Promise<Sealed> {
  // No person stands behind the key, so that no address leads to it (RFC 2606, §2).
  const subject = await context.subjects.ofOccasion(breachText, id, `${id}@breach.invalid`);
  return subject.seal(text);
}

type Written = Omit<Issued, "sealed"> & { readonly sealedAs: SealedType; readonly text: Json };

/** Issues a command on a breach that is in the register, with what is written sealed beside it. */
async function issueWritten(context: HttpContext, caller: Caller, written: Written) {
  const { id, command, sealedAs, text } = written;
  await requireKnown(context, id);
  const sealed = await sealedFor(context, id, text).catch(unavailable);
  return await issue(context, caller, { id, command, sealed: { ...sealed, type: sealedAs } });
}

/**
 * The register of breaches, for officers.
 * @param stores of the record of processing activities, as `<store> <name>`
 */
export async function addBreachRoutes(
  app: FastifyInstance,
  context: HttpContext,
  stores: readonly string[],
): Promise<void> {
  const base = "/api/console/privacy/breaches";
  await limitRate(app, { reads: context.readsPerMinute, writes: context.formsPerMinute });
  addCalls(app, breachCalls, {
    [`GET ${base}` as const]: async () => ({
      breaches: [...(await listedBreaches(context.ledger.sql).catch(unavailable))],
    }),
    [`GET ${base}/:breachId` as const]: async ({ params }) => {
      const breach = await findBreach(context, params.breachId).catch(unavailable);
      if (breach === undefined) throw new ProblemError(problems.breach_unknown);
      return { breach };
    },
    [`POST ${base}` as const]: async ({ body: { facts, text } }, caller) => {
      requireStores(stores, facts);
      const id = uuidV5(idempotencyKey(caller.request) ?? randomUUID(), breachNamespace);
      const { accountId: officerId } = caller.account;
      const sealed = await sealedFor(context, id, text).catch(unavailable);
      await issue(context, caller, {
        id,
        command: { type: "RecordBreach", officerId, facts },
        sealed: { ...sealed, type: "BreachRecorded" },
      });
      return { breachId: id };
    },
    [`POST ${base}/:breachId/correct` as const]: async ({ params, body }, caller) => {
      requireStores(stores, body.facts);
      const { facts, text, version } = body;
      return await issueWritten(context, caller, {
        id: params.breachId,
        command: { type: "CorrectBreach", officerId: caller.account.accountId, version, facts },
        sealedAs: "BreachCorrected",
        text,
      });
    },
    [`POST ${base}/:breachId/decide` as const]: ({ params, body }, caller) => {
      const { reason, ...decision } = body;
      return issueWritten(context, caller, {
        id: params.breachId,
        command: { type: "DecideNotice", officerId: caller.account.accountId, ...decision },
        sealedAs: decision.of === "authority" ? "AuthorityDecided" : "SubjectsDecided",
        text: { reason },
      });
    },
    [`POST ${base}/:breachId/notified` as const]: ({ params, body }, caller) =>
      issue(context, caller, {
        id: params.breachId,
        command: { type: "RecordNotice", officerId: caller.account.accountId, ...body },
      }),
    [`POST ${base}/:breachId/close` as const]: ({ params, body }, caller) =>
      issue(context, caller, {
        id: params.breachId,
        command: { type: "CloseBreach", officerId: caller.account.accountId, ...body },
      }),
  });
}

function requireStores(known: readonly string[], { stores }: BreachFacts): void {
  if (!stores.every((store) => known.includes(store)))
    throw new ProblemError(problems.store_unknown);
}

/** No key is made for a breach that is not in the register. */
async function requireKnown(context: HttpContext, breachId: string): Promise<void> {
  const known = await context.subjects.find(breachId).catch(unavailable);
  if (known === undefined) throw new ProblemError(problems.breach_unknown);
}
