import { BillingEvent, notices } from "@pro-talent/schemas/billing/events";
import { BillingState } from "@pro-talent/schemas/billing/state";
import { dayPlus, latestDay, startOfDay } from "@pro-talent/schemas/primitives/calendar";
import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";

import type { Json } from "../../kernel/canonical-json.ts";
import {
  type CommandContext,
  type CommandResult,
  type Ledger,
  runCommand,
  type StreamDefinition,
} from "../../kernel/commands.ts";
import { defineEvents } from "../../kernel/events.ts";
import { defineSnapshot, loadState } from "../../kernel/streams.ts";
import type { Timer } from "../../kernel/timers.ts";
import { type BillingCommand, billingDecider, type BillingRefusalCode } from "./decider.ts";
import {
  accessEndsAt,
  chargeDueAt,
  openCharge,
  owedNotice,
  paidPeriod,
  renewalNotices,
} from "./renewal.decider.ts";

/** The events of one account's billing. */
export const billingEvents = defineEvents("billing", BillingEvent);

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
type Stages = Readonly<Record<string, number>>;
/** When a payment whose end is not known is looked up, in milliseconds after it was intended. */
const settleStages = {
  "billing.settle.soon": minuteMs,
  "billing.settle.minutes": 10 * minuteMs,
  "billing.settle.hour": hourMs,
  "billing.settle.day": 25 * hourMs,
  "billing.settle.week": 7 * dayMs + hourMs,
} as const satisfies Stages;
const refundStages = {
  "billing.refund.now": 0,
  "billing.refund.minutes": 10 * minuteMs,
  "billing.refund.day": dayMs,
  "billing.refund.days": 3 * dayMs,
  "billing.refund.week": 7 * dayMs,
  "billing.refund.month": 30 * dayMs,
} as const satisfies Stages;
/** The page of the provider and its hints usually settle a checkout; these are for those that are lost. */
const checkoutStages = {
  "billing.checkout.minutes": 5 * minuteMs,
  "billing.checkout.hour": hourMs,
  "billing.checkout.day": dayMs + hourMs,
} as const satisfies Stages;

export const timerNames = {
  charge: "billing.charge",
  end: "billing.end",
  mail: "billing.mail",
  price: "billing.price",
  forget: "billing.forget",
  settle: Object.keys(settleStages),
  refund: Object.keys(refundStages),
  checkout: Object.keys(checkoutStages),
} as const;

/** Of the notices of a renewal. */
export const renewalTimers = notices.map((notice) => ({ notice, name: noticeTimer(notice) }));

function noticeTimer(notice: string): string {
  return `billing.notice.${notice}`;
}

/** Whatever becomes due: charges, retries, mails, ends, and what must be looked up. */
function timers(state: BillingState): readonly Timer[] {
  const open = openCharge(state);
  const refund = state.refunds.find(({ status }) => status === "intended");
  const checkout = state.checkouts.find(({ status }) => status === "open");
  const mail = owedNotice(state);
  return [
    ...at(timerNames.charge, chargeDueAt(state)),
    ...at(timerNames.end, accessEndsAt(state)),
    ...at(timerNames.price, priceCheckAt(state)),
    ...at(timerNames.mail, mail?.dueAt ?? null),
    ...at(timerNames.forget, state.forgetAt),
    ...renewalNotices(state).map(({ notice, dueAt }) => ({ name: noticeTimer(notice), dueAt })),
    ...staged(settleStages, open?.at),
    ...staged(refundStages, refund?.at),
    ...staged(checkoutStages, checkout?.openedAt),
  ];
}

function at(name: string, dueAt: Instant | null): readonly Timer[] {
  return dueAt === null ? [] : [{ name, dueAt }];
}

/** One timer for each stage: it fires once, and nothing must be recorded for the next. */
function staged(stages: Stages, from: Instant | undefined): readonly Timer[] {
  if (from === undefined) return [];
  return Object.entries(stages).map(([name, ms]) => ({ name, dueAt: instantPlus(from, ms) }));
}

/** Once in a period, and for a long one late enough that prices of its renewal are known. */
function priceCheckAt({ subscription }: BillingState): Instant | null {
  if (subscription?.announced !== null || subscription.ending !== null) return null;
  const { from, to } = paidPeriod(subscription);
  return startOfDay(latestDay(dayPlus(from, 1), dayPlus(to, -46)), subscription.zone);
}

/** The billing of one account; the stream's id is the account's. */
export const billingAccounts: StreamDefinition<
  BillingState,
  BillingCommand,
  BillingEvent,
  BillingRefusalCode
> = {
  events: billingEvents,
  decider: billingDecider,
  durableWith: "each append",
  snapshot: defineSnapshot(3, BillingState),
  reply: (_state, events) => ({ events: events.map(({ type }) => type) }),
  timers,
};

/** Where the work on billing reads and records. */
export type BillingStore = {
  readonly read: (accountId: string) => Promise<BillingState>;
  /** @param body of the command, for repetitions under the same id; nothing personal */
  readonly issue: (
    accountId: string,
    command: BillingCommand,
    context: CommandContext & { readonly body?: Json },
  ) => Promise<CommandResult<BillingRefusalCode>>;
  /** Whether a command with this id was carried out before. */
  readonly isAnswered: (accountId: string, commandId: string) => Promise<boolean>;
};

/** The billing of all accounts, in the ledger. */
export function billingStore(ledger: Ledger): BillingStore {
  return {
    read: async (accountId) => (await loadState(ledger.sql, billingAccounts, accountId)).state,
    isAnswered: async (accountId, commandId) => {
      const loaded = await loadState(ledger.sql, billingAccounts, accountId, { commandId });
      return loaded.answered !== undefined;
    },
    issue: async (id, command, { body = null, ...context }) =>
      await runCommand(ledger, billingAccounts, {
        ...context,
        id,
        command,
        body: { account: id, type: command.type, body },
      }),
  };
}
