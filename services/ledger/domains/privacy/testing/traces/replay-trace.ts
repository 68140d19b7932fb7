import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";
import { PrivacyEvent } from "@pro-talent/schemas/privacy/events";

import type { Moment } from "../request-model.ts";
import { namesOf, possibleDifference, refusalDifference, stateDifference } from "./compare.ts";
import { afterAction, refusedIn, startOf, type Step, type Trace } from "./plan-traces.ts";
import { openReplay, type Replay } from "./replay.ts";
import type { Stage } from "./stage.ts";

export type Divergence = {
  readonly origin: string;
  readonly course: readonly string[];
  readonly difference: string;
};

/**
 * Goes through a trace on the real ledger, and compares it with the model after each step.
 * @param tried states whose refusals were compared before
 */
export async function replayTrace(
  stage: Stage,
  { origin, received, steps }: Trace,
  { begun, tried }: { readonly begun: Instant; readonly tried: Set<string> },
): Promise<Divergence | undefined> {
  const replay = await openReplay(stage, received, begun);
  let moment = startOf(received, begun);
  const course: string[] = [];
  let difference = await differenceAt(stage, replay, { moment, tried, came: origin });
  for (const [place, step] of steps.entries()) {
    if (difference !== undefined) break;
    course.push(step.action.name);
    // The clock never goes back to before what was recorded just now.
    await stage.setTime(instantPlus(step.after.now, (place + 1) * 1000));
    difference =
      (await stepDifference(stage, replay, { moment, step })) ??
      (await differenceAt(stage, replay, { moment: step.after, tried, came: step.action.name }));
    moment = step.after;
  }
  await replay.close();
  return difference === undefined ? undefined : { origin, course, difference };
}

type Taken = { readonly moment: Moment; readonly step: Step };

/** Takes a step, and compares the events that it led to. */
async function stepDifference(
  stage: Stage,
  replay: Replay,
  { moment, step: { action, after } }: Taken,
): Promise<string | undefined> {
  replay.gate.fails = "";
  const before = (await stage.eventsOf(replay.id)).length;
  try {
    await action.real(replay, { ...moment, now: after.now });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : "";
    return `it is not possible: ${String(error)} ${cause}`;
  }
  const real = (await stage.eventsOf(replay.id))
    .slice(before)
    .map(({ type, data }) => PrivacyEvent.parse({ type, data: JSON.parse(data) as unknown }));
  const model = afterAction(moment, action)?.events ?? [];
  const [is, should] = [namesOf(real).join("; "), namesOf(model).join("; ")];
  return is === should ? undefined : `it recorded ${is} instead of ${should}`;
}

type Compared = {
  readonly moment: Moment;
  readonly tried: Set<string>;
  /** How it came to this: what is refused alike may be answered by another call. */
  readonly came: string;
};

async function differenceAt(
  stage: Stage,
  replay: Replay,
  { moment, tried, came }: Compared,
): Promise<string | undefined> {
  const difference =
    (await stateDifference(stage, replay, moment)) ??
    (await possibleDifference(stage, replay, moment));
  const key = [came, ...refusedIn(moment)].join();
  if (difference !== undefined || tried.has(key)) return difference;
  tried.add(key);
  return await refusalDifference(stage, replay, moment);
}
