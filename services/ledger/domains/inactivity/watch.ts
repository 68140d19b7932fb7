import {
  callService,
  type ServiceAddress,
  ServiceRefusal,
} from "@pro-talent/platform/http/service-client";
import { internalUseCalls } from "@pro-talent/schemas/accounts/internal-calls";
import { type Day, dayIn, dayPlus, dayPlusMonths } from "@pro-talent/schemas/primitives/calendar";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { retentionPeriods } from "@pro-talent/schemas/primitives/retention-periods";
import {
  type InactivityExemption,
  inactivityNoticeDays,
} from "@pro-talent/schemas/privacy/inactivity";
import { v5 as uuidV5 } from "uuid";

import type { ContactOf } from "../../contacts.ts";
import type { Exemption } from "../../exemption.ts";
import { type CommandContext, type Ledger, runCommand } from "../../kernel/commands.ts";
import type { MailReturnHandler, WorkerContext } from "../../kernel/module.ts";
import { loadState } from "../../kernel/streams.ts";
import type { TimerHandler } from "../../kernel/timers.ts";
import type { Cause } from "../../kernel/types.ts";
import { deliverNotice } from "../../notice-delivery.ts";
import { type InactivityCommand, nextStep, plannedOn } from "./decider.ts";
import { inactiveRows, inactivities } from "./inactivity.ts";
import { inactivityMail, noticeOfMail } from "./mails.ts";

/** What the accounts service knows of the use of accounts. */
export type Uses = {
  readonly unusedBefore: (
    day: Day,
  ) => AsyncIterable<{ readonly accountId: string; readonly activeOn: Day }>;
  /** Undefined when the account is gone. */
  readonly lastUse: (accountId: string) => Promise<Day | undefined>;
};

/** Asks the accounts service. */
export function usesOver(accounts: ServiceAddress): Uses {
  const call = callService(accounts, internalUseCalls);
  return {
    unusedBefore: async function* (before) {
      for (let after: string | null = null; ;) {
        const body: { before: Day; after: string | null } = { before, after };
        const page = await call("POST /internal/accounts/unused", { body });
        yield* page.accounts;
        after = page.accounts.at(-1)?.accountId ?? null;
        if (!page.more || after === null) return;
      }
    },
    lastUse: async (accountId) => {
      try {
        const params = { accountId };
        return (await call("GET /internal/accounts/:accountId/last-use", { params })).activeOn;
      } catch (error) {
        if (error instanceof ServiceRefusal && error.code === "not_found") return undefined;
        throw error;
      }
    },
  };
}

export type Watching = {
  readonly context: WorkerContext;
  readonly uses: Uses;
  readonly contactOf: ContactOf;
  readonly exemptions: readonly Exemption[];
};

/** Namespace of the ids of the requests, drawn at random once. */
const requestNamespace = "d0c2f0a4-93a7-4f0e-9d0c-5f1e6f2b7a31";

async function issue(
  ledger: Ledger,
  id: string,
  command: InactivityCommand,
  why: CommandContext,
): Promise<boolean> {
  const result = await runCommand(ledger, inactivities, { ...why, id, command, body: command });
  if (result.kind === "refusal") throw new Error(`${command.type} is refused: ${result.code}`);
  return result.how === "recorded";
}

/**
 * Notes the accounts whose first notice is due soon, and ends the deletions of those that were used
 * meanwhile. May be repeated.
 */
export async function watchUses(watching: Watching, cause: () => Cause): Promise<void> {
  const { context, uses } = watching;
  const { sql } = context.ledger;
  const now = instantFromMs(context.clock());
  const years = retentionPeriods.inactiveAccount.count;
  const day = dayPlusMonths(
    dayPlus(dayIn(now, "UTC"), inactivityNoticeDays.first + 1),
    -12 * years,
  );
  for await (const { accountId, activeOn } of uses.unusedBefore(day)) {
    const exemption = await exemptionOf(watching, accountId);
    if (exemption === "subscription") continue;
    await issue(
      context.ledger,
      accountId,
      { type: "NoteInactivity", activeOn },
      { now, cause: cause() },
    );
  }
  for (const { accountId } of await inactiveRows(sql, "requested"))
    await endIfUsed(watching, accountId, { now, cause: cause() });
}

/** @returns whether the account is not inactive any more, which is recorded */
export async function endIfUsed(
  { context, uses }: Pick<Watching, "context" | "uses">,
  accountId: string,
  why: CommandContext,
): Promise<boolean> {
  const { ledger } = context;
  const { state } = await loadState(ledger.sql, inactivities, accountId);
  if (state.status === "none") return true;
  const lastUse = await uses.lastUse(accountId);
  if (lastUse !== undefined && lastUse <= state.activeOn) return false;
  const reason = lastUse === undefined ? "closed" : "used";
  await issue(ledger, accountId, { type: "EndInactivity", reason }, why);
  return true;
}

/** Does what is due for an account that is not used: a notice, or the request for its deletion. */
export function inactivityHandler(watching: Watching): TimerHandler {
  return async (accountId, why) => {
    if (await endIfUsed(watching, accountId, why)) return;
    const { ledger } = watching.context;
    const { state } = await loadState(ledger.sql, inactivities, accountId);
    const next = state.status === "none" ? null : nextStep(state);
    if (state.status === "none" || next === null || next.dueAt > why.now) return;
    const exemption = await exemptionOf(watching, accountId);
    // Payment is use: the years begin when the subscription has ended.
    if (exemption === "subscription")
      await issue(ledger, accountId, { type: "EndInactivity", reason: "used" }, why);
    else if (next.step !== "deletion") await notify(watching, accountId, next.step, why);
    else if (exemption !== null)
      await issue(ledger, accountId, { type: "Exempt", reason: exemption }, why);
    else {
      const requestId = uuidV5(`${accountId} ${why.now}`, requestNamespace);
      await issue(ledger, accountId, { type: "RequestDeletion", requestId }, why);
    }
  };
}

async function exemptionOf(
  { context, exemptions }: Watching,
  accountId: string,
): Promise<InactivityExemption | null> {
  for (const exemption of exemptions) {
    const reason = await exemption(context, accountId);
    if (reason !== null) return reason;
  }
  return null;
}

async function notify(
  { context, contactOf }: Watching,
  accountId: string,
  notice: "first" | "second",
  why: CommandContext,
): Promise<void> {
  const { ledger, mailer, publicOrigin: origin } = context;
  const { state } = await loadState(ledger.sql, inactivities, accountId);
  const contact = await contactOf(accountId);
  if (state.status === "none" || contact === undefined) return;
  const sentNow = { ...state, sent: { ...state.sent, [notice]: dayIn(why.now, "Asia/Jerusalem") } };
  const about = {
    accountId,
    contact,
    origin,
    activeOn: state.activeOn,
    plannedOn: plannedOn(sentNow),
  };
  const result = await deliverNotice(mailer, inactivityMail(notice, about));
  await issue(ledger, accountId, { type: "RecordNotice", notice, result }, why);
}

/** A notice that came back was not delivered. A complaint changes nothing: the mail was read. */
export const recordInactivityReturn: MailReturnHandler = async (ledger, { mailId, kind }, why) => {
  const returned = kind === "complaint" ? undefined : noticeOfMail(mailId);
  if (returned === undefined) return false;
  const { accountId, notice } = returned;
  const { state } = await loadState(ledger.sql, inactivities, accountId);
  if (state.status === "none") return false;
  return await issue(ledger, accountId, { type: "RecordReturn", notice }, why);
};
