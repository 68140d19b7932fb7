import { type StageKind, stageKinds } from "@pro-talent/schemas/applications/application";
import type { applicationCalls } from "@pro-talent/schemas/applications/calls";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { z } from "zod";

type Statistics = z.output<(typeof applicationCalls)["GET /api/applications/statistics"]["answer"]>;

/** An application as it is counted. */
export type Counted = {
  /** The kinds of stages that it was in, in order, with the times at which it came there. */
  readonly steps: readonly { readonly kind: StageKind; readonly at: Instant }[];
  /** Of the stage in which it is now. */
  readonly now: StageKind;
  readonly source: string;
};

const dayMs = 24 * 60 * 60 * 1000;
/** Kinds that lead to each other; the others end an application at any of them. */
const ways: readonly StageKind[] = ["saved", "applied", "interviewing", "offered", "accepted"];
const sourcesMax = 50;

/** How far applications came, and how long they stayed where. */
export function statisticsOf(applications: readonly Counted[]): Statistics {
  const kinds = applications.map(({ steps, now }) => new Set([...steps.map((s) => s.kind), now]));
  return {
    applications: applications.length,
    stages: stageKinds.map((kind) => ({
      kind,
      reached: kinds.filter((was) => hasReached(was, kind)).length,
      now: applications.filter(({ now }) => now === kind).length,
      medianDays: median(applications.flatMap(({ steps }) => daysIn(steps, kind))),
    })),
    sources: sourcesOf(applications),
  };
}

/** Whether an application was in a stage of this kind, or in one after it. */
function hasReached(was: ReadonlySet<StageKind>, kind: StageKind): boolean {
  const way = ways.indexOf(kind);
  return way === -1 ? was.has(kind) : ways.slice(way).some((later) => was.has(later));
}

/** Whole days of each stay in stages of a kind that has ended. */
function daysIn(steps: Counted["steps"], kind: StageKind): readonly number[] {
  // From one stage of a kind to another of it, the stay goes on.
  const stays = steps.filter((step, index) => step.kind !== steps[index - 1]?.kind);
  return stays.flatMap((stay, index) => {
    const next = stays[index + 1];
    if (stay.kind !== kind || next === undefined) return [];
    return [Math.floor((Date.parse(next.at) - Date.parse(stay.at)) / dayMs)];
  });
}

function median(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((one, other) => one - other);
  const [low, high] = [(sorted.length - 1) >> 1, sorted.length >> 1];
  const [first, second] = [sorted[low], sorted[high]];
  return first === undefined || second === undefined ? null : (first + second) / 2;
}

function sourcesOf(applications: readonly Counted[]): Statistics["sources"] {
  const named = applications.filter(({ source }) => source !== "");
  const sources = [...Map.groupBy(named, ({ source }) => source)].map(([source, of]) => ({
    source,
    applications: of.length,
    interviews: of.filter(({ steps, now }) =>
      hasReached(new Set([...steps.map(({ kind }) => kind), now]), "interviewing"),
    ).length,
  }));
  return sources
    .toSorted((one, other) => other.applications - one.applications)
    .slice(0, sourcesMax);
}
