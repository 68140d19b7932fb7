import type { TableView } from "../../ui/data-table/table-model.ts";
import type { Application, Stage } from "./queries.ts";

export const views = ["board", "table", "calendar", "statistics"] as const;
export type View = (typeof views)[number];

/** What the address asks for. What it does not know, or does not say, is the default. */
export type TrackerSearch = {
  view: View;
  text: string;
  stage: string;
  source: string;
  waiting: boolean;
  archived: boolean;
  sort: TableView["sort"];
};

const monthPattern = /^\d{4}-(?:0[1-9]|1[0-2])$/u;

/** The view, the filters and the order in an address. */
export function trackerSearchIn(search: URLSearchParams): TrackerSearch {
  const [order = "", direction] = (search.get("sort") ?? "").split(":");
  return {
    view: views.find((view) => view === search.get("view")) ?? "board",
    text: search.get("q") ?? "",
    stage: search.get("stage") ?? "",
    source: search.get("source") ?? "",
    waiting: search.has("waiting"),
    archived: search.has("archived"),
    sort: order === "" ? undefined : { column: order, descending: direction === "down" },
  };
}

/** The month of the calendar, `YYYY-MM`: the present one unless the address says otherwise. */
export function monthIn(search: URLSearchParams, today: string): string {
  const month = search.get("month") ?? "";
  return monthPattern.test(month) ? month : today.slice(0, 7);
}

/** The query with some of its values changed; an empty one is left out. */
export function withValues(
  search: URLSearchParams,
  values: Readonly<Record<string, string>>,
): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(values)) {
    if (value === "") next.delete(name);
    else next.set(name, value);
  }
  return next;
}

const filterNames = ["q", "stage", "source", "waiting", "archived"] as const;

/** The query without filters; view, order and month stay. */
export const withoutFilters = (search: URLSearchParams): URLSearchParams =>
  withValues(search, Object.fromEntries(filterNames.map((name) => [name, ""])));

export const isFiltered = ({ text, stage, source, waiting, archived }: TrackerSearch): boolean =>
  text.trim() !== "" || stage !== "" || source !== "" || waiting || archived;

const plain = (text: string): string => text.normalize("NFKD").toLowerCase();

/** What a text is looked for in, made once for each version of an application. */
const searched = new WeakMap<Application, string>();
function searchedIn(application: Application): string {
  const known = searched.get(application);
  if (known !== undefined) return known;
  const { company, role, place, source, contacts } = application.details;
  const parts = [company, role, place, source, ...contacts.map(({ name }) => name)];
  const text = plain(parts.join("\n"));
  searched.set(application, text);
  return text;
}

/** Without an answer for so long, an application counts as waiting. */
const waitingDays = 7;
const dayMs = 24 * 60 * 60_000;
const awaited = new Set<Stage["kind"]>(["applied", "interviewing"]);

/** Whether an answer has been awaited for a week or longer. */
export const isWaiting = (
  { stageSince }: Pick<Application, "stageSince">,
  kind: Stage["kind"] | undefined,
  nowMs: number,
): boolean =>
  kind !== undefined && awaited.has(kind) && nowMs - Date.parse(stageSince) >= waitingDays * dayMs;

type Filter = Pick<TrackerSearch, "text" | "stage" | "source" | "waiting" | "archived">;

/** The applications that pass a filter. */
export function filtered(
  { applications, stages }: { applications: readonly Application[]; stages: readonly Stage[] },
  { text, stage, source, waiting, archived }: Filter,
  nowMs: number,
): readonly Application[] {
  const words = plain(text).split(/\s+/u).filter(Boolean);
  const kinds = new Map(stages.map(({ stageId, kind }) => [stageId, kind]));
  return applications.filter(
    (one) =>
      (one.archivedAt !== null) === archived &&
      (stage === "" || one.stageId === stage) &&
      (source === "" || one.details.source === source) &&
      (!waiting || isWaiting(one, kinds.get(one.stageId), nowMs)) &&
      words.every((word) => searchedIn(one).includes(word)),
  );
}

/** More than a list of choices can hold. */
const sourcesMax = 50;

/** Sources that applications name, those that more of them name first. */
export function sourcesOf(applications: readonly Application[]): string[] {
  const counts = new Map<string, number>();
  for (const { details } of applications)
    if (details.source !== "") counts.set(details.source, (counts.get(details.source) ?? 0) + 1);
  return [...counts]
    .toSorted((one, other) => other[1] - one[1])
    .slice(0, sourcesMax)
    .map(([source]) => source);
}
