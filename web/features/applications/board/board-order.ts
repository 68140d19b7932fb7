import type { Application, Stage } from "../queries.ts";

/** A place on the board: a stage, and how many of its other cards come before. */
export type Place = { stageId: string; index: number };

export type Columns = ReadonlyMap<string, readonly Application[]>;

/** Ranks are compared by code unit, as the server does. */
const byRank = (one: Application, other: Application): number =>
  one.rank < other.rank ? -1 : one.rank > other.rank ? 1 : 0;

/** The applications of each stage in their order; an empty stage has an empty column. */
export function columnsOf(applications: readonly Application[], stages: readonly Stage[]): Columns {
  const columns = new Map<string, Application[]>(stages.map(({ stageId }) => [stageId, []]));
  for (const application of applications) columns.get(application.stageId)?.push(application);
  return new Map([...columns].map(([stageId, cards]) => [stageId, cards.toSorted(byRank)]));
}

/** The cards of a stage without the one that is carried. */
export const othersIn = (columns: Columns, stageId: string, carried: string) =>
  (columns.get(stageId) ?? []).filter(({ applicationId }) => applicationId !== carried);

/** The application before which a carried one is put down; null at the end of its stage. */
export const beforeAt = (columns: Columns, { stageId, index }: Place, carried: string) =>
  othersIn(columns, stageId, carried)[index]?.applicationId ?? null;

export type Step = "up" | "down" | "next" | "previous" | "first" | "last";

const keys: Readonly<Record<string, Step>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  Home: "first",
  End: "last",
};

/** What a key means on a page of this direction: stages follow each other as words do. */
export function stepOf(key: string, rtl: boolean): Step | undefined {
  if (key === "ArrowRight") return rtl ? "previous" : "next";
  if (key === "ArrowLeft") return rtl ? "next" : "previous";
  return keys[key];
}

/** Where a step leads from a place among `countOf` cards of each stage; the place itself at an edge. */
export function placeAfter(
  place: Place,
  step: Step,
  stageIds: readonly string[],
  countOf: (stageId: string) => number,
): Place {
  const count = countOf(place.stageId);
  const clamped = (index: number, highest: number) => Math.min(Math.max(index, 0), highest);
  switch (step) {
    case "up":
      return { ...place, index: clamped(place.index - 1, count) };
    case "down":
      return { ...place, index: clamped(place.index + 1, count) };
    case "first":
      return { ...place, index: 0 };
    case "last":
      return { ...place, index: count };
    case "next":
    case "previous": {
      const by = step === "next" ? 1 : -1;
      const stageId = stageIds[stageIds.indexOf(place.stageId) + by];
      if (stageId === undefined) return place;
      return { stageId, index: clamped(place.index, countOf(stageId)) };
    }
  }
}

/** Sorts before every character of a rank. */
const lowest = "\u0001";

/** A rank between two others, until the server gives one: the earlier with low characters after it. */
function rankBetween(earlier = "", later = ""): string {
  let count = 1;
  // One that was made here for this very place already begins in the same way.
  while (later.startsWith(earlier + lowest.repeat(count))) count += 1;
  return earlier + lowest.repeat(count);
}

/** Applications as they are once these have moved, until the server answers. */
export function movedLocally(
  applications: readonly Application[],
  ids: readonly string[],
  { stageId, before }: { stageId: string; before: string | null },
): readonly Application[] {
  const moving = new Set(ids);
  const others = applications
    .filter((one) => one.stageId === stageId && !moving.has(one.applicationId))
    .toSorted(byRank);
  const found = others.findIndex(({ applicationId }) => applicationId === before);
  const index = found === -1 ? others.length : found;
  const rank = rankBetween(others[index - 1]?.rank, others[index]?.rank);
  const order = new Map(ids.map((id, place) => [id, String(place).padStart(4, "0")]));
  return applications.map((one) => {
    const place = order.get(one.applicationId);
    return place === undefined ? one : { ...one, stageId, rank: rank + place };
  });
}
