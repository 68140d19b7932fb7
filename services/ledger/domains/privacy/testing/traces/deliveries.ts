import { type Instant, instantFromMs, instantPlus } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import type { TestDatabase } from "../../../../testing/create-test-ledger.ts";
import { dana } from "../facts.ts";
import { timersOf } from "../open-privacy.ts";
import { begins, startOf } from "./plan-traces.ts";
import { openReplay, type Replay } from "./replay.ts";
import { openStage, type Stage } from "./stage.ts";

type Options = {
  /** Requests of each kind. */
  readonly requests: number;
  readonly random: () => number;
  /** One of its own when absent. */
  readonly database?: TestDatabase;
};

export type Delivered = {
  readonly requests: number;
  readonly deliveries: number;
  readonly lost: number;
  /** Requests that did not end, or with a step that is lost or doubled. */
  readonly wrong: readonly string[];
};

const minuteMs = 60_000;
const kinds = [
  "a copy for a holder",
  "a correction for a holder",
  "a deletion for a holder",
  "a form: access, mailbox",
  "a form: delete, mailbox",
] as const;
const timesMax = 5;
const roundsMax = 12;

/**
 * Has all work on many requests delivered up to five times at once, in any order, or not at all; then the
 * sweeper alone goes on.
 */
export async function deliverAnyhow({ requests, random, database }: Options): Promise<Delivered> {
  const stage = await openStage(database);
  try {
    const begun = instantFromMs(Date.UTC(new Date().getUTCFullYear() + 1, 2, 1, 8));
    const replays: Replay[] = [];
    for (let number = 0; number < requests; number += 1)
      for (const kind of kinds) replays.push(await decided(stage, kind, begun));
    const counts = { deliveries: 0, lost: 0 };
    let now = instantPlus(begun, 31 * 24 * 60 * minuteMs);
    for (let round = 0; round < roundsMax; round += 1) {
      await stage.setTime(now);
      await deliverRound(stage, replays, { random, counts });
      now = instantPlus(now, Math.ceil(random() * 12 * 60) * minuteMs);
    }
    for (let sweep = 0; sweep < roundsMax; sweep += 1) {
      await stage.setTime(now);
      for (const replay of replays) await sweepAll(stage, replay, now);
      now = instantPlus(now, minuteMs);
    }
    const wrong: string[] = [];
    for (const replay of replays) wrong.push(...(await wrongIn(stage, replay)));
    return { requests: replays.length, ...counts, wrong };
  } finally {
    await stage.close();
  }
}

/** A request up to the point from which only workers act. */
async function decided(stage: Stage, kind: string, begun: Instant): Promise<Replay> {
  const received = begins[kind];
  if (received === undefined) throw new Error(`No kind ${kind}`);
  const replay = await openReplay(stage, received, begun);
  const moment = startOf(received, begun);
  if (received.type === "ReceiveForm") await replay.entersCode("/verification", moment, "mailbox");
  if (received.requestType === "delete") return replay;
  await replay.decides(dana, "claim", {});
  await replay.decides(dana, "approve", received.requestType === "correct" ? { held: "" } : {});
  return replay;
}

type Round = {
  readonly random: () => number;
  readonly counts: { deliveries: number; lost: number };
};

/** What is due is delivered any number of times; a delivery that comes second is refused. */
async function deliverRound(
  { privacy }: Stage,
  replays: readonly Replay[],
  { random, counts }: Round,
): Promise<void> {
  const deliveries: (() => Promise<unknown>)[] = [];
  for (const replay of replays)
    for (const { name, at } of await timersOf(privacy.ledger.owner, replay.id)) {
      // Some jobs come before their time.
      const isEarly = at > privacy.time.ms;
      const times = Math.floor(random() * (timesMax + 1));
      if (times === 0 && !isEarly) counts.lost += 1;
      for (let time = 0; time < times; time += 1) deliveries.push(() => replay.delivers(name));
    }
  counts.deliveries += deliveries.length;
  const shuffled = deliveries
    .map((deliver) => ({ deliver, place: random() }))
    .toSorted((a, b) => a.place - b.place);
  await Promise.allSettled(shuffled.map(({ deliver }) => deliver()));
}

/** As the sweeper does: each timer that is due, once, until nothing is due. */
async function sweepAll({ privacy }: Stage, replay: Replay, now: Instant): Promise<void> {
  for (;;) {
    const timers = await timersOf(privacy.ledger.owner, replay.id);
    const due = timers.find(({ name, at }) => at <= Date.parse(now) && name !== "privacy.rescan");
    if (due === undefined) return;
    await replay.fires(due.name);
  }
}

/** Events of which a request has one at most. */
const once = [
  "SubjectIdentified",
  "DeletionScheduled",
  "PackageSealed",
  "RecipientsNotified",
  "EraseClaimed",
  "JournalWritten",
  "SuppressionConfirmed",
  "ContentsForgotten",
];
const ends = ["erased", "ready", "completed"];

const Data = z.object({
  step: z.string().optional(),
  steps: z.array(z.string()).default([]),
});

async function wrongIn(stage: Stage, { id }: Replay): Promise<readonly string[]> {
  const [row] = await stage.privacy.ledger.owner<{ status: string }[]>`
    select status from ledger.privacy_request where request_id = ${id}`;
  const events = await stage.eventsOf(id);
  const count = (type: string) => events.filter((event) => event.type === type).length;
  const known = events.map(({ type, data }) => ({ type, ...Data.parse(JSON.parse(data)) }));
  const planned = known.flatMap(({ steps }) => steps);
  const done = known.flatMap(({ type, step = "" }) => (type === "StepDone" ? [step] : []));
  return [
    ...(ends.includes(row?.status ?? "") ? [] : [`${id} is ${row?.status ?? "not there"}`]),
    ...once.flatMap((type) => (count(type) > 1 ? [`${id} has ${type} ${count(type)} times`] : [])),
    ...(done.toSorted().join() === planned.toSorted().join()
      ? []
      : [`${id} has done ${done.join(" ")} of ${planned.join(" ")}`]),
    ...(count("StepFailed") > 0 ? [`${id} has a failed step`] : []),
  ];
}
