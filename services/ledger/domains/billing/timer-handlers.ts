import type { TimerHandler, TimerHandlers } from "../../kernel/timers.ts";
import type { BillingCommand } from "./decider.ts";
import { type NoticesWork, sendOwedNotices, sendRenewalNotice } from "./notices-work.ts";
import {
  chargeWhenDue,
  type PaymentsWork,
  settleCheckouts,
  settleOpenCharge,
  settleRefunds,
} from "./payments-work.ts";
import { forgetCustomer } from "./payments/port.ts";
import { renewalTimers, timerNames } from "./subscriptions.ts";

/**
 * What is done when something is due. Each handler may run again: it reads the state first, and acts only
 * on what is still due. Of a restricted account nothing is charged or announced: that stays due.
 */
export function billingTimerHandlers(work: PaymentsWork, notices: NoticesWork): TimerHandlers {
  const issuing =
    (command: BillingCommand): TimerHandler =>
    async (id, context) => {
      const result = await work.store.issue(id, command, context);
      if (result.kind === "refusal") throw new Error(`${command.type} is refused: ${result.code}`);
    };
  const handling = (names: readonly string[], handler: TimerHandler): TimerHandlers =>
    Object.fromEntries(names.map((name) => [name, handler]));
  const unlessRestricted =
    (handler: TimerHandler): TimerHandler =>
    async (id, context) => {
      if (await work.restrictions.isRestricted(id)) return "not-yet";
      await handler(id, context);
      return undefined;
    };
  const renewals = renewalTimers.map(({ name, notice }): [string, TimerHandler] => [
    name,
    unlessRestricted((id, context) => sendRenewalNotice(notices, id, notice, context)),
  ]);
  return {
    [timerNames.charge]: unlessRestricted((id, context) => chargeWhenDue(work, id, context)),
    [timerNames.end]: issuing({ type: "EndSubscription" }),
    [timerNames.price]: unlessRestricted(issuing({ type: "AnnouncePrice", book: work.book })),
    [timerNames.forget]: async (id, context) => {
      if ((await work.store.read(id)).forgetAt === null) return;
      await forgetCustomer(work.payments, id);
      await issuing({ type: "RecordForgotten" })(id, context);
    },
    [timerNames.mail]: (id, context) => sendOwedNotices(notices, id, context),
    ...handling(timerNames.settle, (id, context) => settleOpenCharge(work, id, context)),
    ...handling(timerNames.refund, (id, context) => settleRefunds(work, id, context)),
    ...handling(timerNames.checkout, (id, context) => settleCheckouts(work, id, context)),
    ...Object.fromEntries(renewals),
  };
}
