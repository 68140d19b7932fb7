import type { Sql } from "@pro-talent/platform/postgres/pool";
import { contactLimits } from "@pro-talent/schemas/contact/limits";
import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import {
  contactEvents,
  type ContactStores,
  settleMatter,
} from "../domains/contact/contact-messages.ts";
import { sendContactMessage } from "../domains/contact/send-contact-message.ts";
import { newAddress, newMessage } from "../domains/contact/testing/contact-samples.ts";
import type { NewsletterCommand } from "../domains/newsletter/decider.ts";
import { commandSubscriber, newsletterSubscriber } from "../domains/newsletter/subscribers.ts";
import { requests } from "../domains/newsletter/testing/histories.ts";
import { idOf } from "../kernel/events.ts";
import { testCause } from "./create-test-ledger.ts";

/** The life of a data subject, at instants long ago: whether the law wants its data erased by now. */
export type Life = { readonly id: string; readonly mustBeErased: boolean };

const dayMs = 24 * 60 * 60 * 1000;
const monthMs = 31 * dayMs;
const { unconfirmedDays, unreachableDays } = newsletterLimits;

type Random = () => number;
const pick = <Value>(random: Random, values: readonly Value[]): Value => {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error("There is nothing to pick");
  return value;
};

/** Plays the life of a subscriber or of a contact message, drawn at random. */
export async function playLife(stores: ContactStores, random: Random): Promise<Life> {
  return random() < 0.5 ? await playMessage(stores, random) : await playSubscriber(stores, random);
}

async function playMessage(stores: ContactStores, random: Random): Promise<Life> {
  const monthsAgo = pick(random, [1, 30, contactLimits.unsettledMonths + 1]);
  const at = (ago: number) => ({
    now: instantFromMs(Date.now() - ago),
    cause: testCause("operator"),
  });
  const message = newMessage({ email: newAddress() });
  await sendContactMessage(stores, message, at(monthsAgo * monthMs));
  const [row] = await stores.ledger.sql<{ id: string }[]>`
    select substr(e.stream, ${contactEvents.category.length + 2}::int) as id
      from ledger.command c join ledger.event e on e.pos = c.first_pos
     where c.command_id = ${message.commandId}`;
  const id = row?.id ?? "";
  const settled = random() < 0.5;
  if (settled) await settleMatter(stores.ledger, id, at(random() * monthsAgo * monthMs));
  return { id, mustBeErased: settled || monthsAgo > contactLimits.unsettledMonths };
}

/** What a subscriber does so many days after the request, and whether that erases it. */
type Turn = { readonly command: NewsletterCommand; readonly daysLater: number };
type Fate = { readonly daysAgo: number; readonly turns: readonly Turn[]; readonly erased: boolean };

const confirms: Turn = { command: { type: "ConfirmSubscription", mail: 1 }, daysLater: 1 };
const leaves: Turn = { command: { type: "Unsubscribe", method: "preferences" }, daysLater: 2 };
const complains: Turn = { command: { type: "RecordComplaint" }, daysLater: 2 };
const bounces: Turn = { command: { type: "RecordBounce", kind: "hard" }, daysLater: 2 };

/** Those that must not be erased have no timer that is due in between. */
const fates: readonly Fate[] = [
  { daysAgo: unconfirmedDays - 1, turns: [], erased: false },
  { daysAgo: unconfirmedDays + 1, turns: [], erased: true },
  { daysAgo: unconfirmedDays - 1, turns: [confirms], erased: false },
  { daysAgo: 5, turns: [confirms, leaves], erased: true },
  { daysAgo: 5, turns: [confirms, complains], erased: true },
  { daysAgo: unreachableDays - 2, turns: [confirms, bounces], erased: false },
  { daysAgo: unreachableDays + 3, turns: [confirms, bounces], erased: true },
];

async function playSubscriber(stores: ContactStores, random: Random): Promise<Life> {
  const { daysAgo, turns, erased } = pick(random, fates);
  const begun = Date.now() - daysAgo * dayMs;
  const email = newAddress();
  const subject = await stores.subjects.withAddress(newsletterSubscriber, email);
  const issue = (command: NewsletterCommand, days: number, address?: object) =>
    commandSubscriber(stores.ledger, subject.id, command, {
      now: instantFromMs(begun + days * dayMs),
      cause: testCause(),
      ...address,
    });
  const address = subject.seal({ email, agreedText: null });
  await issue(requests, 0, { address });
  for (const { command, daysLater } of turns) {
    const result = await issue(command, daysLater);
    // Its own timer may have been faster: then there is no more to do.
    if (result.kind === "refusal") break;
  }
  return { id: subject.id, mustBeErased: erased };
}

/** Destroys what a crash or an intruder could: rows of timers and of the outbox, and what the queue holds. */
export async function sabotage(
  owner: Sql,
  random: Random,
  loseQueue: () => Promise<void>,
): Promise<void> {
  const share = 0.1 + random() * 0.6;
  // Rows that an append is writing are left to it: the two would lock rows in another order.
  const chosenOf = (table: string) =>
    `where ctid in (select ctid from ${table} where random() < ${share} for update skip locked)`;
  const [timers, messages] = ["ledger.due_timer", "ledger.outbox"].map(chosenOf);
  const statements = [
    `delete from ledger.due_timer ${timers}`,
    `update ledger.due_timer set due_at = '2099-01-01' ${timers}`,
    `update ledger.due_timer set fired_at = now() - interval '2 hours' ${timers}`,
    `delete from ledger.outbox ${messages}`,
  ];
  const acts = [...statements.map((statement) => () => owner.unsafe(statement)), loseQueue];
  await pick<() => PromiseLike<unknown>>(random, acts)();
}

/** Lives whose data is not what it must be: erased, or there. Reads facts and keys, no timers. */
export async function wrongLives(sql: Sql, lives: readonly Life[]): Promise<readonly Life[]> {
  const rows = await sql<{ id: string }[]>`
    select subject_id as id from ledger.subject
     union select key_id from ledger.event where sealed is not null`;
  const open = new Set(rows.map(({ id }) => id));
  return lives.filter(({ id, mustBeErased }) => open.has(id) === mustBeErased);
}

/** How many lives have a fact that says that they are erased, and should not, or the reverse. */
export async function wrongFacts(sql: Sql, lives: readonly Life[]): Promise<number> {
  const rows = await sql<{ stream: string }[]>`
    select distinct e.stream from ledger.event e
      join ledger.erasure_event t on t.type = e.type and t.category = split_part(e.stream, '-', 1)`;
  const erased = new Set(rows.map(({ stream }) => idOf(stream)));
  return lives.filter(({ id, mustBeErased }) => erased.has(id) !== mustBeErased).length;
}
