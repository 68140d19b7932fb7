import { randomUUID } from "node:crypto";

import { addCalls } from "@pro-talent/platform/http/add-calls";
import { buildServer } from "@pro-talent/platform/http/build-server";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { internalAccountCalls } from "@pro-talent/schemas/accounts/internal-calls";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, expect, it } from "vitest";

import { catchUp, followerOf } from "../../kernel/follow.ts";
import { followerOfProcess } from "../../kernel/processes.ts";
import { modules } from "../../modules.ts";
import { internalToken, testCause } from "../../testing/create-test-ledger.ts";
import { invitePlace, waitingPlaces } from "./invite.ts";
import { followSubscribers, waitlistPlaces } from "./places.ts";
import { openSignups, type Signups } from "./testing/signups.ts";

const log = createLogger({ service: "test", level: "silent" });
/** What the accounts service was asked to mail; it answers while it is `up`. */
const asked: object[] = [];
let up = true;
/** Accounts of invited people who have one already, by their addresses. */
const accountIds = new Map<string, string>();
const accounts = buildServer({ log, publicOrigin: undefined, internalToken });
addCalls(accounts, internalAccountCalls, {
  "POST /internal/accounts/invitations": async ({ body }) => {
    if (!up) throw new Error("the accounts service is down");
    asked.push(body);
    const accountId = accountIds.get(body.email);
    if (accountId !== undefined) return { status: "has-account" as const, accountId };
    return { status: "mailed" as const };
  },
  "GET /internal/accounts/:accountId/contact": async () => {
    throw new Error("not asked for");
  },
});

let signups: Signups;
beforeAll(async () => {
  const url = await accounts.listen({ host: "127.0.0.1", port: 0 });
  signups = await openSignups({ url, internalToken });
});
afterAll(async () => {
  await signups.close();
  await accounts.close();
});

const issued = () => ({ now: instantFromMs(Date.now()), cause: testCause("operator") });

async function follow(): Promise<void> {
  const { ledger, sql } = signups.ledger;
  const families = modules.flatMap(({ events }) => events);
  await catchUp(followerOfProcess(followSubscribers, { ledger, families }));
  await catchUp(followerOf(sql, waitlistPlaces));
}

/** Runs the processes that read the waitlist, from their first event on if they are to begin anew. */
async function followWaitlist({ anew = false } = {}): Promise<void> {
  const { ledger, owner } = signups.ledger;
  const families = modules.flatMap(({ events }) => events);
  for (const process of modules.flatMap(({ processes }) => processes)) {
    if (process.category !== "waitlist") continue;
    if (anew) {
      await owner`update ledger.checkpoint set epoch = 1, pos = 0 where follower = ${process.name}`;
    }
    await catchUp(followerOfProcess(process, { ledger, families }));
  }
}

const invitation = (occasion: "beta" | "launch") => ({
  invitationId: randomUUID(),
  occasion,
  discountPercent: occasion === "launch" ? 20 : 0,
});

it("confirmed places wait in their order, and each gets one invitation on each occasion", async () => {
  const { ledger } = signups.ledger;
  const [first, second] = [
    await signups.sendForm("signup_page"),
    await signups.sendForm("signup_page"),
  ];
  await signups.sendForm("signup_page");
  await signups.follow("confirm", second);
  await signups.follow("confirm", first);
  await follow();
  expect(await waitingPlaces(ledger, "beta", null)).toEqual([
    first.subscriberId,
    second.subscriberId,
  ]);
  const beta = invitation("beta");
  expect(await invitePlace(ledger, first.subscriberId, beta, issued())).toBe("invited");
  expect(await invitePlace(ledger, first.subscriberId, invitation("beta"), issued())).toBe(
    "unchanged",
  );
  up = false;
  await signups.fireTimers();
  expect(asked).toEqual([]);
  up = true;
  await signups.fireTimers();
  await signups.fireTimers();
  expect(asked).toEqual([{ ...beta, email: first.email, language: "en" }]);
  await follow();
  expect(await waitingPlaces(ledger, "beta", null)).toEqual([second.subscriberId]);
  expect(await waitingPlaces(ledger, "launch", 1)).toEqual([first.subscriberId]);
});

it("a place without a confirmed address is not invited", async () => {
  const signup = await signups.sendForm("signup_page");
  await follow();
  const { ledger } = signups.ledger;
  expect(await invitePlace(ledger, signup.subscriberId, invitation("launch"), issued())).toBe(
    "not confirmed",
  );
});

it("who leaves before the mail gets none", async () => {
  const signup = await signups.sendForm("signup_page");
  await signups.follow("confirm", signup);
  await follow();
  const { ledger } = signups.ledger;
  await invitePlace(ledger, signup.subscriberId, invitation("launch"), issued());
  await signups.follow("unsubscribe", signup);
  await follow();
  const before = asked.length;
  await signups.fireTimers();
  expect(asked).toHaveLength(before);
});

it("the account that an invited person has already gets the discount, once", async () => {
  const signup = await signups.sendForm("signup_page");
  const accountId = randomUUID();
  accountIds.set(signup.email, accountId);
  await signups.follow("confirm", signup);
  await follow();
  const { ledger, sql } = signups.ledger;
  const launch = invitation("launch");
  await invitePlace(ledger, signup.subscriberId, launch, issued());
  await signups.fireTimers();
  await signups.fireTimers();
  expect(asked.filter((body) => "email" in body && body.email === signup.email)).toHaveLength(1);
  await followWaitlist();
  await followWaitlist({ anew: true });
  const granted = await sql<{ data: string }[]>`
    select data from ledger.event where stream = ${`billing-${accountId}`}`;
  const { invitationId } = launch;
  expect(granted.map(({ data }): unknown => JSON.parse(data))).toEqual([
    { invitationId, percent: 20 },
  ]);
});
