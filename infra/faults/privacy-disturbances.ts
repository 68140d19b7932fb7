import { setTimeout as delay } from "node:timers/promises";

import { until } from "@pro-talent/platform/testing/until";
import { searchStep } from "@pro-talent/schemas/privacy/erasure-search";

import type { Finding } from "./compare-stored.ts";
import type { ServiceUnderDrill } from "./drill-services.ts";
import { type Border, type Moment, openBorders } from "./privacy-borders.ts";
import { type PrivacyDrillStack, wrongBy } from "./privacy-drill-stack.ts";

const dayMs = 24 * 60 * 60_000;
const endMs = 240_000;

/** A stack with what was asked of it, which must end. */
export type Drill = PrivacyDrillStack & {
  readonly service: ServiceUnderDrill;
  readonly report: (line: string) => void;
  readonly random: () => number;
  /** Deletions and copies of data, by their requests. */
  readonly deletions: string[];
  readonly copies: string[];
};

export const secondsSince = (from: number): number => Math.round((performance.now() - from) / 1000);

async function withWorkers<Done>(
  drill: Drill,
  environments: readonly Record<string, string>[],
  work: (workers: readonly ServiceUnderDrill[]) => Promise<Done>,
): Promise<Done> {
  const workers = await Promise.all(
    environments.map((environment, n) => drill.worker(`worker-${n}`, environment)),
  );
  await Promise.all(workers.map((worker) => worker.start()));
  try {
    return await work(workers);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}

const statusOf = async ({ owner }: Drill, requestId: string): Promise<string> => {
  const [row] = await owner<{ status: string }[]>`
    select status from ledger.privacy_request where request_id = ${requestId}`;
  return row?.status ?? "none";
};

/** @throws naming what was recorded last when it does not get there */
async function untilStatus(drill: Drill, requestId: string, status: string): Promise<void> {
  const is = async (): Promise<boolean> => (await statusOf(drill, requestId)) === status;
  await until(`request ${requestId} is ${status}`, is, endMs).catch(async (cause: unknown) => {
    const [last] = await drill.owner<{ type: string; data: string }[]>`
      select type, data from ledger.event where stream = ${`privacy-${requestId}`}
       order by version desc limit 1`;
    throw new Error(`It stands at ${last?.type} ${last?.data}`, { cause });
  });
}

async function newDeletion(drill: Drill) {
  const holder = await drill.people.holder(drill.service.url, drill.time.nowMs);
  const requestId = await holder.asksForDeletion();
  drill.deletions.push(requestId);
  return { holder, requestId, waives: async () => void (await holder.waives()) };
}

async function newCopy(drill: Drill) {
  const holder = await drill.people.holder(drill.service.url, drill.time.nowMs);
  const officer = await drill.people.officer(drill.service.url, drill.time.nowMs);
  const requestId = await holder.asksForCopy();
  drill.copies.push(requestId);
  await officer.decides(requestId, "claim");
  return { holder, officer, requestId, approves: () => officer.decides(requestId, "approve") };
}

/** A copy that is reviewed: what is collected of it is kept, and two officers withhold an entry. */
async function newReviewedCopy(drill: Drill) {
  const { officer, requestId } = await newCopy(drill);
  const second = await drill.people.officer(drill.service.url, drill.time.nowMs);
  const approves = () => officer.decides(requestId, "approve", { review: true });
  return {
    requestId,
    approves,
    withholds: async () => {
      const { collected, stores } = await officer.reads(requestId);
      const place = { store: stores[0]?.store, entry: 0, value: null, span: null };
      await officer.decides(requestId, "claim");
      const proposed = { collected, redactions: [{ ...place, reason: "other-person" }] };
      await officer.decides(requestId, "review/redactions", proposed);
      await second.decides(requestId, "claim");
      await second.decides(requestId, "review/confirm", { revision: 1 });
    },
  };
}

/** The events of a request that the worker records, each with its step. */
async function bordersOf({ owner }: Drill, requestId: string, from: string): Promise<Border[]> {
  const rows = await owner<{ type: string; step: string | null }[]>`
    select type, data::jsonb ->> 'step' as step from ledger.event
     where stream = ${`privacy-${requestId}`} and type <> 'NoticeTried'
       and version > (select version from ledger.event
                       where stream = ${`privacy-${requestId}`} and type = ${from} order by version limit 1)
     order by version`;
  return rows.map(({ type, step }) => ({ type, ...(step !== null && { step }) }));
}

/** Once without a disturbance, to learn the borders; then killed at each of them, one after another. */
async function killsAtBorders(drill: Drill): Promise<Finding> {
  return await withWorkers(drill, [{}, {}], async (workers) => {
    const whole = await newDeletion(drill);
    await whole.waives();
    await untilStatus(drill, whole.requestId, "erased");
    const copied = await newCopy(drill);
    await copied.approves();
    await untilStatus(drill, copied.requestId, "ready");
    const ofErasure = await bordersOf(drill, whole.requestId, "GraceWaived");
    const ofExport = await bordersOf(drill, copied.requestId, "AccessApproved");
    const ofCollection: Border[] = [
      ...ofExport.filter(({ type }) => type !== "PackageSealed"),
      { type: "PackageCollected" },
    ];
    const borderCount = [ofErasure, ofExport, ofCollection].flat().length + 1;
    drill.report(`${ofErasure.length} borders of an erasure, ${ofExport.length} of an export`);
    const borders = await openBorders(drill.owner, drill.admin);
    const kill = (): void => {
      for (const worker of workers) worker.kill9();
    };
    let killed = 0;
    const killAtEach = async (
      requestId: string,
      each: readonly Border[],
      moment: Moment,
      begin: () => Promise<void>,
    ): Promise<void> => {
      for (const [place, border] of each.entries()) {
        const first = place === 0 ? begin : async () => undefined;
        await borders.killAt(requestId, border, { moment, kill }, first);
        killed += 1;
      }
    };
    for (const moment of ["before", "after"] as const satisfies readonly Moment[]) {
      const erased = await newDeletion(drill);
      await killAtEach(erased.requestId, ofErasure, moment, erased.waives);
      await untilStatus(drill, erased.requestId, "erased");
      const packed = await newCopy(drill);
      await killAtEach(packed.requestId, ofExport, moment, packed.approves);
      await untilStatus(drill, packed.requestId, "ready");
      const reviewed = await newReviewedCopy(drill);
      await killAtEach(reviewed.requestId, ofCollection, moment, reviewed.approves);
      await untilStatus(drill, reviewed.requestId, "review");
      await killAtEach(reviewed.requestId, [{ type: "PackageSealed" }], moment, reviewed.withholds);
      await untilStatus(drill, reviewed.requestId, "ready");
      drill.report(`killed at each border, ${moment} it is stored`);
    }
    await borders.close();
    return {
      statement: "workers that are killed (kill -9) while they record a step go on with it",
      holds: killed === 2 * borderCount,
      figures: `${killed} kills, before and after each of ${borderCount} borders`,
    };
  });
}

/** Two workers and the service on machines whose clocks are wrong by 35 days, in both directions. */
async function wrongClocks(drill: Drill): Promise<Finding> {
  let early = 0;
  for (const days of [-35, 35]) {
    const service = await drill.ledger(wrongBy(days), `ledger-wrong-by-${days}`);
    await service.start();
    const wrong = { ...drill, service };
    await withWorkers(drill, [wrongBy(35), wrongBy(-35)], async () => {
      const waiting = await newDeletion(wrong);
      const due = await newDeletion(wrong);
      const copied = await newCopy(wrong);
      await due.waives();
      await copied.approves();
      await untilStatus(drill, due.requestId, "erased");
      await untilStatus(drill, copied.requestId, "ready");
      // What is due by a wrong clock would have been done by now, many sweeps later.
      await delay(2000);
      const [row] = await drill.owner<{ days: number }[]>`
        select extract(epoch from erase_at - ledger.now()) / 86400 as days from ledger.privacy_request
         where request_id = ${waiting.requestId} and status = 'scheduled'`;
      if (row === undefined || Math.abs(row.days - 30) > 2) early += 1;
      if ((await copied.holder.downloads(copied.requestId)).status !== 200) early += 1;
      await waiting.waives();
      await untilStatus(drill, waiting.requestId, "erased");
    });
    await service.stop();
  }
  return {
    statement: "clocks of services and workers that are wrong by 35 days erase nothing early",
    holds: early === 0,
    figures: `${early} early`,
  };
}

/**
 * The queue refuses every connection: every wake-up is lost. It is also a store that is searched after an
 * erasure, so that the last steps wait until it answers.
 */
async function queueAway(drill: Drill): Promise<Finding> {
  return await withWorkers(drill, [{}, {}], async () => {
    await drill.admin.unsafe("alter role jobs_app nologin");
    await drill.admin`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'jobs_app'`;
    const begun = performance.now();
    const { requestId, waives } = await newDeletion(drill);
    const copied = await newCopy(drill);
    await Promise.all([waives(), copied.approves()]);
    await until("only the search waits", () => isSearching(drill, requestId), endMs);
    await untilStatus(drill, copied.requestId, "ready");
    const secondsAway = secondsSince(begun);
    const meanwhile = await statusOf(drill, requestId);
    await drill.admin.unsafe("alter role jobs_app login");
    await drill.time.pass(60 * 60_000);
    await untilStatus(drill, requestId, "erased");
    return {
      statement:
        "with the queue off the sweepers alone finish an export, and an erasure but for its search",
      holds: meanwhile === "erasing",
      figures: `${secondsAway} s; with the queue back all is searched and erased`,
    };
  });
}

/** Every store is erased, and not all could be searched. */
async function isSearching({ owner }: Drill, requestId: string): Promise<boolean> {
  const [last] = await owner<{ type: string; step: string | null }[]>`
    select type, data::jsonb ->> 'step' as step from ledger.event
     where stream = ${`privacy-${requestId}`} and type <> 'NoticeTried'
     order by version desc limit 1`;
  return last?.type === "StepFailed" && last.step === searchStep;
}

/** A day without ClickHouse, by the test clock: what is done stays done, and the rest waits for it. */
async function clickhouseAway(drill: Drill): Promise<Finding> {
  return await withWorkers(drill, [{}, {}], async () => {
    const { requestId, waives } = await newDeletion(drill);
    await drill.clickhouse.stop();
    await waives();
    const failures = async (): Promise<number> =>
      (
        await drill.owner`
          select from ledger.event where stream = ${`privacy-${requestId}`} and type = 'StepFailed'`
      ).length;
    await until("the step has failed", async () => (await failures()) >= 1, endMs);
    await drill.time.pass(dayMs);
    await until("the step has failed again", async () => (await failures()) >= 2, endMs);
    const meanwhile = await statusOf(drill, requestId);
    await drill.clickhouse.start();
    await drill.time.pass(60 * 60_000);
    await untilStatus(drill, requestId, "erased");
    return {
      statement:
        "an erasure waits for a ClickHouse that is away for a day, and ends when it is back",
      holds: meanwhile === "erasing",
      figures: `${await failures()} failed attempts, then erased`,
    };
  });
}

/** By name, in the order in which they are gone through. */
export const disturbances: Readonly<Record<string, (drill: Drill) => Promise<Finding>>> = {
  borders: killsAtBorders,
  clocks: wrongClocks,
  queue: queueAway,
  clickhouse: clickhouseAway,
};
