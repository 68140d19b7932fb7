import { analyticsLimits } from "@pro-talent/schemas/analytics/limits";
import type { analyticsPaths } from "@pro-talent/schemas/analytics/wire";

import type { DeliveryQueue } from "../delivery-queue.ts";
import type { Report } from "../reports.ts";
import type { Batch, Task } from "../tracker.ts";

/** The path of the contract, repeated to keep its validator out of the browser. */
export const batchPath: typeof analyticsPaths.trackEvents = "/api/analytics/track/events";

/** Less than a browser sends for a closed page (64 KiB together), and than the collector reads. */
const bytesMax = 60_000;

/** How the batch calls an event: `pageview`, `click`, `event`, `end`. */
const typeOf = ({ path }: Report): string => path.slice(path.lastIndexOf("/") + 1);

const bytesOf = (report: Report): number =>
  new TextEncoder().encode(JSON.stringify(report.body(""))).length + 30;

/** The first of these reports, as many as fit into one call. */
function fitting(reports: readonly Report[]): readonly Report[] {
  let bytes = 0;
  const end = reports.findIndex((report, at) => {
    bytes += bytesOf(report);
    return at > 0 && (at >= analyticsLimits.batchEventsMax || bytes > bytesMax);
  });
  return end === -1 ? reports : reports.slice(0, end);
}

/** Several reports as one; one alone is its own call. */
function oneCall(reports: readonly [Report, ...Report[]]): Report {
  const [first] = reports;
  if (reports.length === 1) return first;
  return {
    path: batchPath,
    identified: reports.every(({ identified }) => identified),
    atMs: first.atMs,
    body: (sessionId) => ({
      sessionId,
      events: reports.map((report) => {
        const { sessionId: _ofBatch, ...event } = report.body(sessionId);
        return { type: typeOf(report), ...event };
      }),
    }),
  };
}

/** All reports, in their order, in as few calls as possible. */
export function inFewCalls(reports: readonly Report[]): Report[] {
  const [first, ...others] = fitting(reports);
  if (first === undefined) return [];
  const rest = reports.slice(1 + others.length);
  return [oneCall([first, ...others]), ...inFewCalls(rest)];
}

/**
 * A report with those that wait behind it, as one call. They stay in the queue until they are
 * answered, as the page may close before.
 */
export function together(first: Report, queue: DeliveryQueue<Task>): Batch | undefined {
  const waiting = queue.waiting.flatMap((task) =>
    task.kind === "report" && task.report.identified ? [task.report] : [],
  );
  const [, ...others] = first.identified ? fitting([first, ...waiting]) : [];
  if (others.length === 0) return undefined;
  return {
    report: oneCall([first, ...others]),
    settle: (answer) => {
      const statuses = statusesOf(answer);
      // What could not be taken now is repeated; what is refused would be refused again.
      const settled = others.filter((_report, at) => statuses[at + 1] !== 503);
      queue.withdraw((task) => task.kind === "report" && settled.includes(task.report));
      return statuses[0] === 503 ? "retry" : "done";
    },
  };
}

/** The status of each event in a batch's answer. */
function statusesOf(answer: unknown): number[] {
  const results: unknown =
    typeof answer === "object" && answer !== null ? Reflect.get(answer, "results") : [];
  if (!Array.isArray(results)) return [];
  return results.map((result: unknown) =>
    typeof result === "object" && result !== null ? Number(Reflect.get(result, "status")) : 0,
  );
}
