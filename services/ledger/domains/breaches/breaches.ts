import { type ListedBreach, noticeStates } from "@pro-talent/schemas/breaches/calls";
import { BreachEvent } from "@pro-talent/schemas/breaches/events";
import { noticeHours, warningHours } from "@pro-talent/schemas/breaches/kinds";
import { instantPlus } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import type { StreamDefinition } from "../../kernel/commands.ts";
import { defineEvents } from "../../kernel/events.ts";
import { column, optional, readModel, type RowOf } from "../../kernel/read-model.ts";
import type { SubjectKind } from "../../kernel/subjects.ts";
import type { Timer } from "../../kernel/timers.ts";
import {
  type BreachCommand,
  breachDecider,
  type BreachRefusal,
  type BreachState,
  isSettled,
} from "./decider.ts";

export const breachEvents = defineEvents("breach", BreachEvent);

/** What officers write about a breach is sealed under a key of the breach. */
export const breachText: SubjectKind = "breaches.text";

const hourMs = 60 * 60_000;
/** Mails the officers while the 72 hours run. */
export const warnTimer = "breaches.warn";
/** The end of the 72 hours; from then on it is due again every day, until the authority is settled. */
export const deadlineTimer = "breaches.deadline";

/** Hours after the discovery at which each timer of a state is due next. */
export function hoursDue(state: BreachState): Readonly<Record<string, number>> {
  if (state.status !== "open" || isSettled(state.authority)) return {};
  const { warned } = state;
  const warning = warningHours.find((hours) => !warned.includes(hours));
  const late = warned.filter((hours) => hours >= noticeHours);
  const deadline = late.length === 0 ? noticeHours : Math.max(...late) + 24;
  return { [deadlineTimer]: deadline, ...(warning !== undefined && { [warnTimer]: warning }) };
}

function timersOf(state: BreachState): readonly Timer[] {
  if (state.status === "none") return [];
  const { discoveredAt } = state;
  return Object.entries(hoursDue(state)).map(([name, hours]) => ({
    name,
    dueAt: instantPlus(discoveredAt, hours * hourMs),
  }));
}

/** One breach: `breach-<breachId>`. */
export const breaches: StreamDefinition<BreachState, BreachCommand, BreachEvent, BreachRefusal> = {
  events: breachEvents,
  decider: breachDecider,
  durableWith: "each append",
  reply: ({ status }) => ({ status }),
  timers: timersOf,
};

const Notice = z.enum(noticeStates);
const columns = {
  discovered_at: column.instant("operational", "When the breach was discovered"),
  people: column.integer("operational", "Roughly how many people it concerns"),
  records: column.integer("operational", "Roughly how many records it concerns"),
  data_categories: column.texts("operational", "Which kinds of data it concerns"),
  people_categories: column.texts("operational", "Which kinds of people it concerns"),
  stores: column.texts("operational", "Which stores it touches"),
  authority: column.oneOf(Notice)("operational", "Whether the authority is notified"),
  subjects: column.oneOf(Notice)("operational", "Whether the people concerned are notified"),
  closed_at: optional(column.instant("operational", "When it was closed")),
  version: column.integer("operational", "Acts of officers so far"),
};
type Row = RowOf<typeof columns>;

/** The register of breaches. */
export const breachRows = readModel({
  table: "breach",
  version: 1,
  mode: "inline",
  purpose: "The register of breaches of personal data, as a law demands it",
  retention: "As long as the events that it is built from",
  events: breachEvents,
  key: { breach_id: column.uuid("operational", "Names the breach") },
  columns,
  evolve: (row, { event, occurredAt }): Row | null => {
    const { type, data } = event;
    if (type === "BreachRecorded")
      return { ...factsOf(data), authority: "open", subjects: "open", closed_at: null, version: 1 };
    if (row === null || type === "OfficersWarned") return row;
    const next = { ...row, version: row.version + 1 };
    switch (type) {
      case "BreachCorrected":
        return { ...next, ...factsOf(data) };
      case "AuthorityDecided":
        return { ...next, authority: data.notify ? "to-send" : "not-needed" };
      case "SubjectsDecided":
        return { ...next, subjects: data.notify ? "to-send" : "not-needed" };
      case "AuthorityNotified":
        return { ...next, authority: "sent" };
      case "SubjectsNotified":
        return { ...next, subjects: "sent" };
      case "BreachClosed":
        return { ...next, closed_at: occurredAt };
    }
  },
  indexes: [],
});

type Facts = Extract<BreachEvent, { type: "BreachRecorded" }>["data"];
const factsOf = ({ discoveredAt, people, records, stores, ...of }: Facts) => ({
  discovered_at: discoveredAt,
  people,
  records,
  data_categories: of.dataCategories,
  people_categories: of.peopleCategories,
  stores,
});

/** The last instant at which a notice to the authority is in time. */
export const notifyBy = (discoveredAt: ListedBreach["discoveredAt"]) =>
  instantPlus(discoveredAt, noticeHours * hourMs);
