import { randomUUID } from "node:crypto";

import {
  callService,
  type ServiceAddress,
  ServiceRefusal,
} from "@pro-talent/platform/http/service-client";
import { MailRefused } from "@pro-talent/platform/mail/mailer";
import { internalStaffCalls } from "@pro-talent/schemas/accounts/internal-calls";
import { queryProblems } from "@pro-talent/schemas/analysts/calls";
import { type DayRange, daysBefore } from "@pro-talent/schemas/analysts/schedule";
import { type TileAnswer, workProblems } from "@pro-talent/schemas/analysts/work-calls";
import type { Role } from "@pro-talent/schemas/primitives/access";
import { Uuid } from "@pro-talent/schemas/primitives/ids";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import type { ContactOf } from "../../../contacts.ts";
import type { MailReturnHandler, WorkerContext } from "../../../kernel/module.ts";
import type { MessageHandlers } from "../../../kernel/outbox.ts";
import { loadState } from "../../../kernel/streams.ts";
import type { TimerHandlers } from "../../../kernel/timers.ts";
import { offAddress } from "../../../off-tokens.ts";
import { isRestricted } from "../../../restriction.ts";
import type { Asking } from "../decider.ts";
import { titlesOf, visibleWork } from "../read-work.ts";
import { type Delivered, runnablesOf } from "../runnable.ts";
import type { DeliveryCommand } from "./decider.ts";
import {
  commandDelivery,
  deliveries,
  deliveryMessage,
  deliveryOff,
  deliveryTimer,
} from "./deliveries.ts";
import { type DeliveredPart, deliveryMail, deliveryOfMail } from "./mail.ts";
import type { WithheldResults } from "./withheld.ts";

/** The roles of an account, as they are now. @throws when the accounts service does not answer */
export type RolesOf = (accountId: string) => Promise<readonly Role[]>;

/** Asks the accounts service. */
export function rolesOver(accounts: ServiceAddress): RolesOf {
  const call = callService(accounts, internalStaffCalls);
  return async (accountId) =>
    (await call("GET /internal/accounts/:accountId/roles", { params: { accountId } })).roles;
}

/** What deliveries reach outside. */
export type DeliveryParts = {
  readonly context: WorkerContext;
  readonly contactOf: ContactOf;
  readonly rolesOf: RolesOf;
  readonly withheld: WithheldResults;
};

/** Records deliveries that are due. One of an account whose deletion is scheduled stays due. */
export function deliveryTimers({ ledger }: Pick<WorkerContext, "ledger">): TimerHandlers {
  return {
    [deliveryTimer]: async (deliveryId, issued) => {
      const { state } = await loadState(ledger.sql, deliveries, deliveryId);
      if (state.status !== "planned") return undefined;
      if (await isRestricted(ledger.sql, state.ownerId)) return "not-yet";
      const command = { type: "RecordDue" } as const;
      const result = await commandDelivery({ ledger }, deliveryId, command, issued);
      if (result.kind === "refusal") throw new Error(`A delivery is refused: ${result.code}`);
      return result.how === "unchanged" ? "not-yet" : undefined;
    },
  };
}

const Payload = z.object({ deliveryId: Uuid, run: z.int() });

/** Carries out each delivery that came due, once. */
export function deliveryMessages(parts: DeliveryParts): MessageHandlers {
  return {
    [deliveryMessage]: async (payload, cause) => {
      const due = Payload.parse(payload);
      const now = instantFromMs(parts.context.clock());
      const { ledger } = parts.context;
      const outcome = await carryOut(parts, due);
      if (outcome === undefined) return;
      const command = { type: "EndRun", run: due.run, outcome } as const;
      const result = await commandDelivery({ ledger }, due.deliveryId, command, { now, cause });
      if (result.kind === "refusal") throw new Error(`A delivery did not end: ${result.code}`);
    },
  };
}

type Due = z.output<typeof Payload>;
type Outcome = Extract<DeliveryCommand, { type: "EndRun" }>["outcome"];

/** @returns undefined when nothing is to be done any more */
async function carryOut(parts: DeliveryParts, due: Due): Promise<Outcome | undefined> {
  const { context, contactOf, rolesOf } = parts;
  const { sql } = context.ledger;
  const { state } = await loadState(sql, deliveries, due.deliveryId);
  if (state.status !== "planned" || state.last?.run !== due.run) return undefined;
  const { ownerId, plan, last } = state;
  if (last.outcome !== null || (await isRestricted(sql, ownerId))) return undefined;
  const roles = await rolesOf(ownerId);
  if (!roles.includes("analyst")) return { paused: "role-lost" };
  const work = await openWork(context, plan.of.workId, { accountId: ownerId, roles });
  if (work === undefined) return { paused: "work-unavailable" };
  const contact = await contactOf(ownerId);
  if (contact === undefined) return undefined;
  if ((await context.mailboxes.admit(contact.email, undefined)) !== "admitted")
    return { paused: "mailbox-refused" };
  const days = daysBefore(last.dueAt, plan.lastDays);
  const answers = await answersOf(parts, ownerId, await runnablesOf(context, work.row), days);
  const { title } = work;
  return await mailAnswers(context, {
    ...due,
    work: plan.of,
    title,
    days,
    parts: answers,
    contact,
  });
}

/** Work that an account may see, and that is not archived, with its title. */
async function openWork(context: WorkerContext, workId: string, asking: Asking) {
  const row = await visibleWork(context, workId, asking);
  const title = row && (await titlesOf(context, [workId])).get(workId);
  if (row === undefined || row.archivedAt !== null || title === undefined) return undefined;
  return { row, title };
}

/** A query that cannot be answered is not mailed; the other parts of a dashboard are. */
async function mailAnswers(
  context: WorkerContext,
  about: Omit<Parameters<typeof deliveryMail>[0], "origin" | "feedbackId" | "offUrl">,
): Promise<Outcome> {
  const [only] = about.parts;
  if (about.work.kind === "query" && typeof only !== "object")
    return only === "not-withheld" ? "not-withheld" : "query-failed";
  const mail = deliveryMail({
    ...about,
    feedbackId: context.mailboxes.feedbackIdOf(about.contact.email),
    offUrl: offAddress(context, deliveryOff, about.deliveryId),
    origin: context.publicOrigin,
  });
  try {
    await context.mailer.send(mail);
  } catch (error) {
    if (error instanceof MailRefused) return { paused: "mailbox-refused" };
    throw error;
  }
  return "sent";
}

/** One after the other: an analyst has two queries at once. */
async function answersOf(
  { withheld }: DeliveryParts,
  accountId: string,
  tiles: readonly Delivered[],
  days: DayRange,
): Promise<readonly DeliveredPart[]> {
  const answers: DeliveredPart[] = [];
  for (const { title, runs: tile } of tiles) {
    if (tile === null) {
      answers.push("missing");
      continue;
    }
    const asked = { accountId, queryId: randomUUID(), tile, days };
    const named = (answer: TileAnswer) => ({ ...answer, tileTitle: title });
    answers.push(await withheld.run(asked).then(named, partOfRefusal));
  }
  return answers;
}

/** Those that would be the same at the next attempt. @throws the others, so that the message is tried again */
function partOfRefusal(error: unknown): DeliveredPart {
  const code = error instanceof ServiceRefusal ? error.code : undefined;
  if (code === workProblems.query_not_withheld.code) return "not-withheld";
  if (code !== undefined && lasting.has(code)) return "failed";
  throw error;
}

const { query_wrong, query_refused, query_limited, range_too_long } = queryProblems;
const lasting = new Set<string>(
  [query_wrong, query_refused, query_limited, range_too_long].map(({ code }) => code),
);

/** A mailbox that is gone, or whose holder complains, gets no more of these mails. */
export const deliveryReturns: MailReturnHandler = async (ledger, { mailId, kind }, issued) => {
  const deliveryId = kind === "soft" ? undefined : deliveryOfMail(mailId);
  if (deliveryId === undefined) return false;
  const command = { type: "StopMails" } as const;
  const { now, cause } = issued;
  const result = await commandDelivery({ ledger }, deliveryId, command, { now, cause });
  if (result.kind === "refusal") throw new Error(`Mails are not stopped: ${result.code}`);
  return result.how === "recorded";
};
