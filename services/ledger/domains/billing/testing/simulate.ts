import { periodAt } from "@pro-talent/schemas/billing/calendar";
import { priceBook } from "@pro-talent/schemas/billing/prices";
import type { PlanChoice } from "@pro-talent/schemas/billing/quotes";
import { dayPlus } from "@pro-talent/schemas/primitives/calendar";
import { instantPlusMonths } from "@pro-talent/schemas/primitives/instant";

import { recordReturn } from "../notices-work.ts";
import { brokenAtTheEnd, brokenRules } from "./billing-rules.ts";
import type { Behaviour } from "./memory-payments.ts";
import { type MailBehaviour, SimulatedAccount } from "./simulated-account.ts";

/** Numbers between 0 and 1 that follow from a seed (a linear congruential generator). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

const choices: readonly PlanChoice[] = [
  { plan: "essential", cycle: "monthly" },
  { plan: "essential", cycle: "annual" },
  { plan: "premium", cycle: "monthly" },
  { plan: "premium", cycle: "annual" },
];
const zones = ["Asia/Jerusalem", "America/New_York", "Pacific/Auckland", "UTC"];
const behaviours: readonly Behaviour[] = [
  "succeeds",
  "succeeds",
  "succeeds",
  "declines",
  "declines-for-good",
  "challenges",
  "silent",
  "answer-lost",
];
const mails: readonly MailBehaviour[] = [
  "accepts",
  "accepts",
  "accepts",
  "delays",
  "uncertain",
  "refuses",
];

type Random = () => number;
const pick = <Value>(random: Random, values: readonly Value[]): Value => {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error("There is nothing to pick");
  return value;
};

/** What a sequence showed. */
export type Simulated = {
  /** The sentences that did not hold; none when all is well. */
  readonly broken: readonly string[];
  readonly steps: number;
  readonly events: number;
  readonly charges: number;
};

const tenYears = 120;

/**
 * Plays one sequence of acts, payments, mails and jumps of the clock over ten years, and checks after each
 * step what must always hold.
 */
export async function simulate(seed: number): Promise<Simulated> {
  const random = seeded(seed);
  const account = new SimulatedAccount();
  account.zone = pick(random, zones);
  if (random() < 0.5) grantOne(account, random);
  const end = instantPlusMonths(account.now, tenYears);
  let steps = 0;
  const result = (when: string, broken: readonly string[]): Simulated => ({
    broken: broken.map((rule) => `seed ${seed}, ${when}: ${rule}`),
    steps,
    events: account.events.length,
    charges: account.state.charges.length,
  });
  while (account.now < end) {
    const before = account.events.length;
    await play(account, random);
    if (random() < 0.3) account.mail = "accepts";
    if (random() < 0.2) account.payments.behave("succeeds");
    steps += 1;
    const broken = brokenRules(account, before);
    if (broken.length > 0) return result(`step ${steps}`, broken);
  }
  await settle(account);
  return result("at the end", brokenAtTheEnd(account));
}

async function play(account: SimulatedAccount, random: Random): Promise<void> {
  const { payments, state } = account;
  const acts: readonly (() => unknown)[] = [
    () => startIfFree(account, random),
    () => startIfFree(account, random),
    () => account.change(pick(random, choices)),
    () => (random() < 0.3 ? account.cancel() : null),
    () => account.resume(),
    () => account.dropDowngrade(),
    () => account.storeCard(),
    () => payments.behave(pick(random, behaviours)),
    () => {
      account.mail = pick(random, mails);
    },
    () => hint(account, random),
    () => hint(account, random),
    () => confirmOne(account, random),
    () => disputeOne(account, random),
    () => {
      if (state.parked !== null) account.issue({ type: "ReleaseAccount" });
    },
    () => changePrices(account, random),
    () => returnOne(account, random),
    () => grantOne(account, random),
    () => account.advance(random() * 40),
    () => account.advance(random() * 120),
    () => account.advance(random() * 200),
    () => account.jump(random() * 120),
  ];
  await whenUncertain(async () => pick(random, acts)());
}

/** The provider's silence is part of the game: the product repeats. */
async function whenUncertain(act: () => unknown): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Error && error.name === "PaymentUncertain")) throw error;
  }
}

async function startIfFree(account: SimulatedAccount, random: Random): Promise<void> {
  if (account.plan !== "free" || account.state.parked !== null) return;
  await account.buy(pick(random, choices), { pays: random() < 0.7 });
}

/** A hint that is late, repeated or about something else. */
async function hint(account: SimulatedAccount, random: Random): Promise<void> {
  const open = account.state.checkouts.filter(({ status }) => status === "open");
  if (open.length > 0 && random() < 0.5) return await account.pay(pick(random, open).checkout);
  const { charges } = account.state;
  if (charges.length > 0) await account.lookUp(pick(random, charges).charge);
}

async function confirmOne(account: SimulatedAccount, random: Random): Promise<void> {
  const waiting = [...account.payments.book.payments].filter(
    ([, { status }]) => status === "action-required",
  );
  if (waiting.length === 0) return;
  const [key] = pick(random, waiting);
  account.payments.confirm(key);
  await account.lookUp(key);
}

async function disputeOne(account: SimulatedAccount, random: Random): Promise<void> {
  const paid = account.state.charges.filter(({ status }) => status === "succeeded");
  if (paid.length === 0 || random() < 0.5) return;
  const { charge } = pick(random, paid);
  const status = pick(random, ["inquiry", "open", "won", "lost"] as const);
  account.payments.dispute(charge, { disputeId: `dp_${charge}`, status, refundable: false });
  await account.lookUp(charge);
}

/** One of the last mails came back, reported late or more than once. */
async function returnOne(account: SimulatedAccount, random: Random): Promise<void> {
  const last = account.mails.slice(-6);
  if (last.length === 0) return;
  const report = { mailId: pick(random, last).id, kind: "hard" } as const;
  await recordReturn(account.store, report, account.context);
}

/** Invitations may be reported late, and more than one of an account. */
function grantOne(account: SimulatedAccount, random: Random): void {
  const percent = pick(random, [1, 15, 20, 33, 90]);
  account.issue({ type: "GrantDiscount", percent, invitationId: account.newId() });
}

function changePrices(account: SimulatedAccount, random: Random): void {
  const last = account.book.at(-1) ?? priceBook[0];
  const amount = 1000 + Math.floor(random() * 2000);
  const effective = dayPlus(
    account.state.subscription === null
      ? last.effective
      : periodAt(account.state.subscription.place).to,
    Math.floor(random() * 60),
  );
  if (effective <= last.effective) return;
  const prices = {
    essential: { monthly: amount, annual: amount * 9 },
    premium: { monthly: amount * 2, annual: amount * 18 },
  };
  const version = { ...last, version: `v${account.book.length}`, effective, prices };
  account.book = [account.book[0], ...account.book.slice(1), version];
}

/** Everything works again, and the time passes in which all is settled. */
async function settle(account: SimulatedAccount): Promise<void> {
  account.payments.behave("succeeds");
  account.mail = "accepts";
  for (const { charge } of account.state.charges) await account.lookUp(charge);
  for (const { checkout } of account.state.checkouts) await account.lookUp(checkout);
  account.issue({ type: "ReleaseAccount" });
  await account.advance(40);
}
