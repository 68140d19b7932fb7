import { tokenHash } from "@pro-talent/platform/http/sign-in-sessions";
import type { Queryable } from "@pro-talent/platform/postgres/pool";

import { randomToken } from "./sessions.ts";

/** A sign-in or a set-up that is under way: the browser holds its token, the database the hash. */
export type Challenge = {
  readonly accountId: string | null;
  /** As it was given; parse it by a contract. */
  readonly state: unknown;
};

/** Kind of the challenge between the right password and the second factor. */
export const secondFactorChallenge = "second-factor";

const validMs = 5 * 60_000;
const attemptsMax = 5;

type Row = { account_id: string | null; state: unknown };

/**
 * Opens a challenge for five minutes.
 * @param challenge.kind what it is for: another kind's token does not open it
 * @param challenge.state what the next step needs, as JSON; secrets in it must be sealed
 */
export async function openChallenge(
  sql: Queryable,
  challenge: { kind: string; accountId: string | null; state?: object; nowMs: number },
): Promise<string> {
  const { kind, accountId, state = {}, nowMs } = challenge;
  const token = randomToken();
  await sql`
    insert into accounts.challenge (challenge_hash, kind, account_id, state, expires_at)
    values (${tokenHash(token)}, ${kind}, ${accountId}::uuid, ${JSON.stringify(state)}::jsonb,
            ${new Date(nowMs + validMs)})`;
  return token;
}

/**
 * Counts one attempt at a challenge, before it is judged: simultaneous attempts count as well.
 * @returns undefined when it is unknown, has expired, or had five attempts
 */
export async function attemptChallenge(
  sql: Queryable,
  kind: string,
  token: string,
  nowMs: number,
): Promise<Challenge | undefined> {
  const rows = await sql<Row[]>`
    update accounts.challenge set attempts = attempts + 1
     where challenge_hash = ${tokenHash(token)} and kind = ${kind}
       and expires_at > ${new Date(nowMs)} and attempts < ${attemptsMax}::int
    returning account_id, state`;
  return challengeOf(rows);
}

/**
 * Ends a challenge; of several callers at once, one receives it.
 * @returns undefined when it is unknown, was taken, or has expired
 */
export async function takeChallenge(
  sql: Queryable,
  kind: string,
  token: string,
  nowMs: number,
): Promise<Challenge | undefined> {
  const rows = await sql<Row[]>`
    delete from accounts.challenge
     where challenge_hash = ${tokenHash(token)} and kind = ${kind} and expires_at > ${new Date(nowMs)}
    returning account_id, state`;
  return challengeOf(rows);
}

function challengeOf([row]: readonly Row[]): Challenge | undefined {
  return row && { accountId: row.account_id, state: row.state };
}
