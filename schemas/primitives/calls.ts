import type { z } from "zod";

import type { Access } from "./access.ts";
import type { ProblemDefinition } from "./problem.ts";

/**
 * One HTTP call, defined once: the server's route, the validation of its answers, the browser's typed
 * client and the OpenAPI document follow from it. Problems that every call may answer
 * (`platformProblems`) are not repeated.
 */
export type CallDefinition = {
  /** One line for the HTTP reference. */
  readonly summary: string;
  /** Who may call it. */
  readonly access: Access;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly answer: z.ZodType;
  /** Media type of the file that is answered instead of JSON; `answer` is then `z.never()`. */
  readonly file?: string;
  /** Of the answer; 200 when absent. */
  readonly status?: number;
  /** Refusals of the domain. */
  readonly problems?: readonly ProblemDefinition[];
  /** Further answers by status, for clients that the specification describes. */
  readonly also?: Readonly<Record<number, z.ZodType>>;
  /** Also takes plain HTML forms, which are answered with a redirect (303). */
  readonly plainForm?: true;
  readonly bodyBytesMax?: number;
  /**
   * Reads what belongs to its caller alone, and nothing but the database of its service: it may be answered by a
   * replica that has what the caller wrote and saw, while what others changed a moment ago may be missing.
   */
  readonly mayLag?: true;
};

/**
 * Header of answers to callers with an account, and of their calls: how far in the history of the database the answer
 * is. Who sends the greatest of them along (16 hexadecimal digits, compared as text) never sees less than before.
 */
export const positionHeader = "data-position";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
/** Method and path, with parameters as `:name`: `GET /api/links/:id`. */
export type CallName = `${Method} /${string}`;
export type Calls = Readonly<Record<string, CallDefinition>>;

/** Names the calls of a domain by method and path. */
export function defineCalls<const Defined extends Readonly<Record<CallName, CallDefinition>>>(
  calls: Defined,
): Defined {
  return calls;
}

type Part<
  Call extends CallDefinition,
  Name extends "params" | "query" | "body",
> = Call[Name] extends z.ZodType ? { readonly [Key in Name]: z.output<Call[Name]> } : unknown;
type SentPart<
  Call extends CallDefinition,
  Name extends "params" | "query" | "body",
> = Call[Name] extends z.ZodType ? { readonly [Key in Name]: z.input<Call[Name]> } : unknown;

/** What a handler receives: each defined part, parsed. */
export type CallInput<Call extends CallDefinition> = Part<Call, "params"> &
  Part<Call, "query"> &
  Part<Call, "body">;

/** What a client sends. */
export type CallRequest<Call extends CallDefinition> = SentPart<Call, "params"> &
  SentPart<Call, "query"> &
  SentPart<Call, "body">;

/** The codes of the call's own problems. */
export type DomainProblemCode<Call extends CallDefinition> = Call["problems"] extends readonly {
  code: infer Code extends string;
}[]
  ? Code
  : never;

/** Method and path of a call's name. */
export function splitCallName(name: string): { method: string; path: string } {
  const space = name.indexOf(" ");
  return { method: name.slice(0, space), path: name.slice(space + 1) };
}
