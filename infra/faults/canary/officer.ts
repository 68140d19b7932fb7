import { changeRole } from "@pro-talent/accounts/roles/roles";
import { until } from "@pro-talent/platform/testing/until";
import { FactorRequired, SignInAnswer } from "@pro-talent/schemas/accounts/sign-in";
import { OwnRequest } from "@pro-talent/schemas/privacy/calls";
import { ReviewedRequest } from "@pro-talent/schemas/privacy/officer-calls";
import { z } from "zod";

import { codeOf, openAccount, type Person } from "./account-life.ts";
import type { Sent } from "./front-door.ts";
import type { Instance } from "./instance.ts";
import { PersonalWords } from "./words.ts";

/** An account that decides about requests: the role is an operator's to give. */
export async function openOfficer(instance: Instance, random: () => number): Promise<Person> {
  const { door, clock, sql } = instance;
  const person = await openAccount(door, new PersonalWords(random), clock);
  const { accountId, email, password } = person;
  const change = { accountId, role: "officer", granted: true, operator: "drill" } as const;
  await changeRole(sql, { ...change, nowMs: clock() });
  const body = { email, password };
  const { challenge } = await door.call(FactorRequired, "POST /api/account/sign-in", body);
  const code = { challenge, method: "totp", code: codeOf(person, clock) };
  const { token } = await door.call(SignInAnswer, "POST /api/account/sign-in/code", code);
  return { ...person, signed: { token } };
}

const Reviewed = z.object({ request: ReviewedRequest });
const Own = z.object({ requests: z.array(OwnRequest) });

/**
 * Takes a request and approves it; resolves when it is fulfilled, or its package is ready. A copy with texts that
 * others may have written is looked through in between: nothing of it is withheld.
 */
export async function approve(
  { door }: Instance,
  officer: Person,
  { signed }: Person,
  requestId: string,
): Promise<void> {
  const path = `/api/console/privacy/requests/${requestId}`;
  const seen = async () =>
    (await door.call(Reviewed, `GET ${path}`, undefined, officer.signed)).request;
  const decide = async (act: string, body: object = {}): Promise<void> => {
    const { version } = await seen();
    await door.ask(`POST ${path}/${act}`, { version, ...body }, officer.signed);
  };
  const isFulfilled = async (): Promise<boolean> => {
    const { requests } = await door.call(Own, "GET /api/privacy/requests", undefined, signed);
    const request = requests.find((one) => one.requestId === requestId);
    return request?.status === "completed" || (request?.package ?? null) !== null;
  };
  await decide("claim");
  const { correction } = await seen();
  await decide("approve", correction === null ? {} : { held: correction.held });
  const isCollected = async () => (await isFulfilled()) || (await seen()).inReview;
  await until("the request is fulfilled, or its copy is to be reviewed", isCollected, 240_000);
  if ((await seen()).inReview) {
    await decide("claim");
    await decide("review/release");
  }
  await until("the request is fulfilled", isFulfilled, 240_000);
}

/** The package of an access request, as its holder downloads it. */
export async function downloadPackage(
  { door }: Instance,
  signed: Sent,
  requestId: string,
): Promise<Buffer> {
  const path = `/api/privacy/requests/${requestId}/package`;
  return Buffer.from(await (await door.ask(`GET ${path}`, undefined, signed)).arrayBuffer());
}
