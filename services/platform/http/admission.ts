import {
  type Access,
  type AccountAccess,
  refusalOf,
  type SignedIn,
  type TokenHolder,
} from "@pro-talent/schemas/primitives/access";
import type { FastifyInstance, FastifyRequest } from "fastify";

import { secretsEqual } from "../crypto/secrets.ts";
import { type Clock, systemClock } from "../runtime/clock.ts";
import { ProblemError } from "./problem-details.ts";

/** Reads sign-in sessions; they end at once when they are revoked, so that nothing is kept. */
export type SignInSessions = {
  /** The account of a bearer token, if the session is valid now. */
  readonly ofToken: (token: string) => Promise<SignedIn | undefined>;
  /** The account of a ticket for one download at this path, which is used up by that. */
  readonly ofTicket: (ticket: string, path: string) => Promise<SignedIn | undefined>;
  /** The account of an access token for programs, if it is valid now. */
  readonly ofAccessToken: (token: string) => Promise<TokenHolder | undefined>;
};

/** How a server knows its callers; a call that needs what is absent cannot be served. */
export type Admission = {
  /** Of the platform's services. */
  readonly internalToken?: string | undefined;
  /** Of servers of the site's operator; each of them admits, so that keys can be changed. */
  readonly keys?: readonly string[] | undefined;
  readonly sessions?: SignInSessions | undefined;
  readonly clock?: Clock;
};

const admissions = new WeakMap<object, Admission>();
const accounts = new WeakMap<FastifyRequest, SignedIn>();
const tokenHolders = new WeakMap<FastifyRequest, TokenHolder>();
const bearer = "Bearer ";

/** States for all calls of a server how their callers are known. */
export function setAdmission(app: FastifyInstance, admission: Admission): void {
  admissions.set(app.server, admission);
}

/**
 * The check of a call's callers: before the body is read, so that nothing is done for a caller who
 * may not call. A bearer token alone authorises; cookies never do.
 * @throws Error when the server has no means to know the callers that the call needs
 */
export function admissionHook(
  app: FastifyInstance,
  access: Access,
): ((request: FastifyRequest) => Promise<void>) | undefined {
  if (access === "public") return undefined;
  const {
    internalToken,
    keys = [],
    sessions,
    clock = systemClock,
  } = admissions.get(app.server) ?? {};
  if (access === "internal") {
    if (internalToken === undefined) throw new Error("The server has no internal token");
    return async ({ headers }) => {
      const header = headers.authorization ?? "";
      if (!secretsEqual(header, bearer + internalToken)) throw new ProblemError("unauthorized");
    };
  }
  if (access === "keyed") {
    return async ({ headers }) => {
      const header = headers.authorization ?? "";
      // Each is compared: the time says nothing of which one it was.
      const matches = keys.map((key) => secretsEqual(header, bearer + key));
      if (!matches.includes(true)) throw new ProblemError("unauthorized");
    };
  }
  if (sessions === undefined) throw new Error("The server reads no sign-in sessions");
  if ("scope" in access) {
    return async (request) => {
      const { authorization } = request.headers;
      const token =
        authorization?.startsWith(bearer) === true && authorization.slice(bearer.length);
      const holder = token === false ? undefined : await sessions.ofAccessToken(token);
      if (holder === undefined) throw new ProblemError("unauthorized");
      if (!holder.scopes.includes(access.scope)) throw new ProblemError("scope_missing");
      tokenHolders.set(request, holder);
    };
  }
  return async (request) => {
    const account = await findAccount(sessions, request);
    if (account === undefined) throw new ProblemError("unauthorized");
    requireAccess(access, account, clock());
    accounts.set(request, account);
  };
}

/** @throws ProblemError */
function requireAccess(access: AccountAccess, account: SignedIn, nowMs: number): void {
  const refusal = refusalOf(access, account, nowMs);
  if (refusal !== undefined) throw new ProblemError(refusal);
}

/** By the bearer token, or for a download that a page cannot send a header with, by a ticket. */
async function findAccount(
  sessions: SignInSessions,
  { headers, method, url }: FastifyRequest,
): Promise<SignedIn | undefined> {
  const { authorization } = headers;
  if (authorization?.startsWith(bearer) === true) {
    return sessions.ofToken(authorization.slice(bearer.length));
  }
  const { pathname, searchParams } = new URL(url, "http://server");
  const ticket = searchParams.get("ticket");
  return method === "GET" && ticket !== null ? sessions.ofTicket(ticket, pathname) : undefined;
}

/**
 * The account of a call that needs one.
 * @throws Error when the call needs none
 */
export function accountOf(request: FastifyRequest): SignedIn {
  const account = accounts.get(request);
  if (account === undefined) throw new Error("The call needs no account");
  return account;
}

/**
 * The access token's account of a call that needs one.
 * @throws Error when the call needs none
 */
export function tokenHolderOf(request: FastifyRequest): TokenHolder {
  const holder = tokenHolders.get(request);
  if (holder === undefined) throw new Error("The call needs no access token");
  return holder;
}
