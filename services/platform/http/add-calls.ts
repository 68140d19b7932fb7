import type { Readable } from "node:stream";

import type {
  Access,
  AccountAccess,
  SignedIn,
  TokenAccess,
  TokenHolder,
} from "@pro-talent/schemas/primitives/access";
import {
  type CallDefinition,
  type CallInput,
  type Calls,
  type DomainProblemCode,
  splitCallName,
} from "@pro-talent/schemas/primitives/calls";
import { type FieldError, platformProblems } from "@pro-talent/schemas/primitives/problem";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";

import type { Queryable } from "../postgres/pool.ts";
import { accountOf, admissionHook, tokenHolderOf } from "./admission.ts";
import { parseBody } from "./parse-body.ts";
import { ProblemError } from "./problem-details.ts";
import { answerInOrder, type Exchange, readsFor } from "./reads.ts";

/** A redirect (303 See Other): going back in the browser does not send the form again. */
export class SeeOther {
  readonly location: string;

  constructor(location: string) {
    this.location = location;
  }
}

/** One of the call's further answers (`also`), by its status. */
export class AnswerWith {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    this.status = status;
    this.body = body;
  }
}

/** A file, whole or as a stream: the answer of a call that declares `file`. */
export class FileAnswer {
  readonly bytes: Uint8Array | Readable;
  readonly type: string;
  /** Offered for saving under this name, unless it is shown in place. */
  readonly name: string | undefined;

  constructor(bytes: Uint8Array | Readable, type: string, name?: string) {
    this.bytes = bytes;
    this.type = type;
    this.name = name;
  }
}

type RefusalDetails = { readonly errors?: readonly FieldError[]; readonly cause?: unknown };

type CallAccount<Known extends Access> = Known extends AccountAccess
  ? SignedIn
  : Known extends TokenAccess
    ? TokenHolder
    : undefined;

type CallReads<MayLag> = MayLag extends true ? Queryable : undefined;

export type CallContext<Call extends CallDefinition> = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Who calls, of a call that needs an account or its access token. */
  readonly account: CallAccount<Call["access"]>;
  /** What a call that `mayLag` reads from, the only thing that it uses of the database. */
  readonly reads: CallReads<Call["mayLag"]>;
  /** Ends the call with one of its own problems. */
  readonly refuse: (code: DomainProblemCode<Call>, details?: RefusalDetails) => never;
};

type Handle<Call extends CallDefinition> = (
  input: CallInput<Call>,
  context: CallContext<Call>,
) => Promise<z.input<Call["answer"]> | SeeOther | AnswerWith | FileAnswer>;

/** A handler; with `read`, the body is brought into the contract's form before it is parsed. */
export type CallHandler<Call extends CallDefinition> =
  | Handle<Call>
  | {
      readonly read: (body: unknown, request: FastifyRequest) => unknown;
      readonly handle: Handle<Call>;
    };

export type CallHandlers<Defined extends Calls> = {
  readonly [Name in keyof Defined & string]: CallHandler<Defined[Name]>;
};

/**
 * Serves calls by their definitions, one handler each. The caller is checked first; parameters, query and
 * body are parsed before the handler runs, its answer before it is sent: a field that the contract does
 * not name never leaves. A domain's problem that the call does not declare is answered as `internal_error`.
 */
export function addCalls<Defined extends Calls>(
  app: FastifyInstance,
  calls: Defined,
  handlers: CallHandlers<Defined>,
): void {
  for (const [name, call] of Object.entries<CallDefinition>(calls)) {
    const handler = handlers[name as keyof Defined & string] as CallHandler<CallDefinition>;
    const { method, path: url } = splitCallName(name);
    const onRequest = admissionHook(app, call.access);
    const reads = readsFor(app, name, call);
    app.route({
      method,
      url,
      ...(onRequest && { onRequest }),
      ...(call.bodyBytesMax === undefined ? {} : { bodyLimit: call.bodyBytesMax }),
      handler: (request, reply) => serve(call, handler, { request, reply, reads }),
    });
  }
}

async function serve(
  call: CallDefinition,
  handler: CallHandler<CallDefinition>,
  { request, reply, reads }: Exchange,
): Promise<unknown> {
  const { read, handle } = typeof handler === "function" ? { handle: handler } : handler;
  const input = {
    ...(call.params && { params: parsePart(call.params, request.params, "not_found") }),
    ...(call.query && { query: parsePart(call.query, request.query, "bad_request") }),
    ...(call.body && {
      body: parseBody(call.body, read ? read(request.body, request) : request.body),
    }),
  };
  const refuse = (code: string, details?: RefusalDetails): never => {
    throw new ProblemError(declaredProblem(call, code), details);
  };
  try {
    const account = callerOf(call.access, request);
    const answer = await answerInOrder({ request, reply, reads }, call, (sql) =>
      handle(input, { request, reply, refuse, account, reads: sql }),
    );
    return prepareAnswer(call, reply, answer);
  } catch (error) {
    if (error instanceof ProblemError) requireDeclared(call, error);
    throw error;
  }
}

function callerOf(access: Access, request: FastifyRequest): SignedIn | TokenHolder | undefined {
  if (typeof access === "string") return undefined;
  return "scope" in access ? tokenHolderOf(request) : accountOf(request);
}

function parsePart(contract: z.ZodType, value: unknown, problem: "not_found" | "bad_request") {
  const parsed = contract.safeParse(value);
  if (!parsed.success) throw new ProblemError(problem);
  return parsed.data;
}

function declaredProblem(call: CallDefinition, code: string) {
  const problem = call.problems?.find((declared) => declared.code === code);
  if (problem === undefined) throw new Error(`The call does not declare the problem ${code}`);
  return problem;
}

function requireDeclared(call: CallDefinition, error: ProblemError): void {
  if (!Object.hasOwn(platformProblems, error.code)) declaredProblem(call, error.code);
}

/** Sets the status and returns what Fastify sends. */
function prepareAnswer(call: CallDefinition, reply: FastifyReply, answer: unknown): unknown {
  if (answer instanceof SeeOther) return reply.code(303).header("location", answer.location).send();
  if (answer instanceof AnswerWith) {
    const contract = call.also?.[answer.status];
    if (contract === undefined) throw new Error(`The call has no answer ${answer.status}`);
    reply.code(answer.status);
    return contract.parse(answer.body);
  }
  if (answer instanceof FileAnswer) {
    if (call.file !== answer.type) throw new Error(`The call has no file of type ${answer.type}`);
    if (answer.name !== undefined) reply.header("content-disposition", attachment(answer.name));
    return reply.type(answer.type).send(answer.bytes);
  }
  reply.code(call.status ?? 200);
  return call.answer.parse(answer);
}

/** Names in other scripts than Latin are written as RFC 6266 §4.3 says. */
function attachment(name: string): string {
  // RFC 8187 §3.2.1 leaves out four characters that addresses may have.
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename*=UTF-8''${encoded}`;
}
