import { randomUUID } from "node:crypto";

import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { keyStep } from "@pro-talent/schemas/privacy/events";
import type { RequestType } from "@pro-talent/schemas/privacy/request";

import { type Ledger, runCommand } from "../../../kernel/commands.ts";
import { loadState } from "../../../kernel/streams.ts";
import { testCause } from "../../../testing/create-test-ledger.ts";
import type { PrivacyCommand } from "../decider.ts";
import type { Recordable } from "../guards.decider.ts";
import { privacyRequests } from "../requests.ts";
import { assigned, cancellationId, dana, denied, omar, records } from "./facts.ts";

export const races = ["cancel versus claim", "hold versus claim", "two officers"] as const;
export type Race = (typeof races)[number];

/** Two processes, each with connections of its own. */
export type Rivals = readonly [Ledger, Ledger];

type Options = {
  readonly rivals: Rivals;
  readonly race: Race;
  readonly count: number;
  readonly random: () => number;
};

export type Raced = {
  /** How often which command won. */
  readonly won: Readonly<Record<string, number>>;
  /** Races that ended with no winner, or two, or in another state than the winner's. */
  readonly broken: readonly string[];
};

const dayMs = 24 * 60 * 60_000;
const atOnce = 24;

/** Has two commands about one request decided at the same moment, many times. */
export async function runRaces(options: Options): Promise<Raced> {
  const won = new Map<string, number>();
  const broken: string[] = [];
  let begun = 0;
  const runner = async (): Promise<void> => {
    while (begun < options.count) {
      begun += 1;
      const { winners, fault } = await runRace(options);
      for (const winner of winners) won.set(winner, (won.get(winner) ?? 0) + 1);
      if (fault !== undefined) broken.push(fault);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runner));
  return { won: Object.fromEntries(won), broken };
}

type Ended = { readonly winners: readonly string[]; readonly fault: string | undefined };

async function runRace(options: Options): Promise<Ended> {
  const id = randomUUID();
  const now = instantFromMs(Date.now());
  const begin = instantFromMs(Date.now() - 31 * dayMs);
  if (options.race === "two officers") return await raceOfficers(options, id, now);
  await received(options.rivals[0], id, "delete", begin);
  const reviewAt = instantFromMs(Date.now() + 30 * dayMs);
  const claim: Recordable = { type: "EraseClaimed", data: { steps: ["links", keyStep] } };
  const held = { officerId: dana, holdId: randomUUID(), law: "A law", reviewAt };
  const against: Recordable =
    options.race === "cancel versus claim"
      ? { type: "DeletionCancelled", data: { cancellationId } }
      : { type: "HoldPlaced", data: held };
  return await decideAtOnce(options, id, [against, claim], now);
}

/** Both take the request; then the one who has it decides in two windows at the same moment. */
async function raceOfficers(options: Options, id: string, now: Instant): Promise<Ended> {
  await received(options.rivals[0], id, "access", now);
  const taken = await decideAtOnce(options, id, [assigned(dana), assigned(omar)], now);
  const { state } = await loadState(options.rivals[0].sql, privacyRequests, id);
  const officerId = state.status === "none" ? dana : (state.lease?.officerId ?? dana);
  const approves: Recordable = { type: "AccessApproved", data: { officerId, steps: ["links"] } };
  const decided = await decideAtOnce(options, id, [approves, denied(officerId)], now);
  const tooLate = await issue(options.rivals[1], id, records(approves), now);
  const again = tooLate === undefined ? undefined : `${id}: decided twice`;
  return { winners: decided.winners, fault: taken.fault ?? decided.fault ?? again };
}

async function decideAtOnce(
  { rivals, random }: Options,
  id: string,
  facts: readonly [Recordable, Recordable],
  now: Instant,
): Promise<Ended> {
  const places = random() < 0.5 ? ([0, 1] as const) : ([1, 0] as const);
  const answers = await Promise.all(
    places.map(async (place) => {
      const fact = facts[place];
      return await issue(rivals[place], id, records(fact), now);
    }),
  );
  const winners = answers.filter((answer) => answer !== undefined);
  const recorded = await typesOf(rivals[0], id);
  const both = facts.every(({ type }) => recorded.includes(type));
  const isDouble = facts[0].type !== facts[1].type && both;
  const isLost = winners.some((winner) => !recorded.includes(winner));
  const fault = winners.length !== 1 || isDouble || isLost;
  return { winners, fault: fault ? `${id}: ${winners.join(" and ") || "no winner"}` : undefined };
}

/** @returns the type of what was recorded; undefined when it was refused */
async function issue(
  ledger: Ledger,
  id: string,
  command: PrivacyCommand,
  now: Instant,
): Promise<string | undefined> {
  const why = { now, cause: testCause() };
  const result = await runCommand(ledger, privacyRequests, { ...why, id, command, body: command });
  if (result.kind === "refusal") return undefined;
  return command.type === "Record" ? command.fact.type : command.type;
}

async function received(
  ledger: Ledger,
  id: string,
  requestType: RequestType,
  now: Instant,
): Promise<void> {
  const accountId = randomUUID();
  const command = { type: "ReceiveRequest", requestType, accountId, identity: "step-up" } as const;
  await issue(ledger, id, command, now);
}

async function typesOf({ sql }: Ledger, id: string): Promise<readonly string[]> {
  const rows = await sql<{ type: string }[]>`
    select type from ledger.event where stream = ${`privacy-${id}`} order by version`;
  return rows.map(({ type }) => type);
}
