import type { ClickHouseClient } from "@pro-talent/platform/clickhouse/connect";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { fulfilledInTime, pause } from "@pro-talent/platform/runtime/wait";
import { inSpan } from "@pro-talent/platform/tracing/spans";
import { uuidV7Ms } from "@pro-talent/schemas/primitives/ids";
import type { Registry } from "prom-client";

import { createShipMetrics, type ShipMetrics } from "../metrics.ts";
import type { ClosedSegment } from "../spool/segment.ts";
import { type ShipContext, shipSegment } from "./ship-segment.ts";
import { failureOf } from "./store.ts";

export type ShipperOptions = {
  clickhouse: ClickHouseClient;
  database: string;
  /** Name of the cluster that holds its tables. */
  cluster?: string | undefined;
  /** Pool with the role `collector_app`. */
  sql: Sql;
  metrics: Registry;
  log: Logger;
  clock: Clock;
};

/** Ids of segments that something waits for. */
type Drain = { readonly left: Set<string>; readonly resolve: () => void };

/** Segments under way at once. */
const lanes = 2;
const backoffMsMin = 50;
const backoffMsMax = 3000;
const stuckAfterMs = 30_000;

/** Ships closed segments, oldest first, until they are stored; it never gives up and never drops. */
export class Shipper {
  readonly #options: ShipperOptions;
  readonly #context: ShipContext;
  readonly #metrics: ShipMetrics;
  readonly #giveUp = new AbortController();
  readonly #waiting: ClosedSegment[] = [];
  readonly #unshipped = new Map<string, ClosedSegment>();
  readonly #lanes = new Set<Promise<void>>();
  readonly #drains = new Set<Drain>();
  #failingSince: number | undefined;

  constructor(options: ShipperOptions) {
    this.#options = options;
    const { clickhouse, database, cluster, sql, log, clock, metrics } = options;
    this.#metrics = createShipMetrics(metrics);
    const store = { clickhouse, database, signal: this.#giveUp.signal };
    const isCluster = cluster !== undefined;
    this.#context = { store, isCluster, sql, log, now: clock, metrics: this.#metrics };
  }

  /** Takes a closed segment: `onSegment` of the spool. */
  accept(segment: ClosedSegment): void {
    this.#unshipped.set(segment.id, segment);
    this.#waiting.push(segment);
    if (this.#giveUp.signal.aborted || this.#lanes.size >= lanes) return;
    const lane = this.#runLane().finally(() => this.#lanes.delete(lane));
    this.#lanes.add(lane);
  }

  /** Waits until everything that was accepted so far is stored; false when the deadline came first. */
  async drain(deadlineMs: number): Promise<boolean> {
    const left = new Set(this.#unshipped.keys());
    if (left.size === 0) return true;
    const stored = new Promise<void>((resolve) => this.#drains.add({ left, resolve }));
    await fulfilledInTime(stored, deadlineMs);
    return left.size === 0;
  }

  /** Ends what is under way, which stays in the spool, and every wait for it. */
  async stop(): Promise<void> {
    this.#giveUp.abort();
    await Promise.all(this.#lanes);
    for (const { resolve } of this.#drains) resolve();
  }

  /** What waits, including what is under way; `oldestMs` is an age. */
  backlog(): { segments: number; bytes: number; oldestMs: number } {
    let bytes = 0;
    let oldest = Infinity;
    for (const segment of this.#unshipped.values()) {
      bytes += segment.bytes;
      oldest = Math.min(oldest, uuidV7Ms(segment.id));
    }
    const oldestMs = bytes === 0 ? 0 : Math.max(0, this.#options.clock() - oldest);
    return { segments: this.#unshipped.size, bytes, oldestMs };
  }

  /** False when nothing could be shipped for half a minute although something waits. */
  healthy(): boolean {
    const since = this.#failingSince;
    return since === undefined || performance.now() - since < stuckAfterMs;
  }

  async #runLane(): Promise<void> {
    for (;;) {
      const segment = this.#waiting.shift();
      if (segment === undefined || !(await this.#shipUntilStored(segment))) return;
      this.#unshipped.delete(segment.id);
      for (const drain of this.#drains) {
        drain.left.delete(segment.id);
        if (drain.left.size > 0) continue;
        drain.resolve();
        this.#drains.delete(drain);
      }
    }
  }

  /** @returns false when it was ended by `stop` */
  async #shipUntilStored(segment: ClosedSegment): Promise<boolean> {
    let inDoubt = segment.leftover;
    for (let attempt = 0; !this.#giveUp.signal.aborted; attempt += 1) {
      try {
        await inSpan("ship segment", { begins: segment.id }, () =>
          shipSegment(this.#context, segment, inDoubt),
        );
        this.#failingSince = undefined;
        return true;
      } catch (error) {
        // Even if nothing was sent now: a part of the segment may have been stored just before.
        inDoubt = true;
        this.#noteFailure(segment, attempt, error);
      }
      await this.#backOff(attempt);
    }
    return false;
  }

  #noteFailure(segment: ClosedSegment, attempt: number, error: unknown): void {
    if (this.#giveUp.signal.aborted) return;
    this.#failingSince ??= performance.now();
    this.#metrics.failedAttempts.inc({ outcome: failureOf(error) });
    // At the first attempt and every twentieth: an outage is one event, not thousands of lines.
    if (attempt % 20 !== 0) return;
    this.#options.log.error(
      { err: error, segment: segment.id, attempt, backlog: this.backlog() },
      "a segment could not be shipped; it is tried again",
    );
  }

  /** Exponential with full jitter over the upper half, so that instances do not return in step. */
  async #backOff(attempt: number): Promise<void> {
    const ceiling = Math.min(backoffMsMax, backoffMsMin * 2 ** Math.min(attempt, 10));
    await pause(ceiling * (0.5 + Math.random() / 2), this.#giveUp.signal);
  }
}
