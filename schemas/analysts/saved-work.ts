import { z } from "zod";

import { TimeZone } from "../accounts/profile.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { line } from "../studio/text.ts";
import { analystLimits as limit } from "./limits.ts";
import { QuestionName } from "./questions.ts";

/** Saved work: a query with its chart, or a dashboard. Each has a title, versions, and roles that may see it. */
export const savedKinds = ["query", "dashboard"] as const;
export type SavedKind = (typeof savedKinds)[number];

/** Roles with which work may be shared. None: its owner alone sees it. */
export const sharingRoles = ["analyst", "administrator"] as const;
export const SharedWith = z
  .array(z.enum(sharingRoles))
  .transform((roles) => sharingRoles.filter((role) => roles.includes(role)));

export const chartKinds = ["table", "line", "bar", "figure"] as const;
export const Title = line(limit.titleCharsMax).pipe(z.string().min(1));
const columnName = z.string().min(1).max(limit.columnCharsMax);

/** `x` and `y` name columns of the result; a table needs none. */
export const Chart = z.object({
  kind: z.enum(chartKinds),
  x: columnName.nullable(),
  y: z.array(columnName).max(limit.chartColumnsMax),
});
export type Chart = z.infer<typeof Chart>;

/** A parameter of a query, with the value that it has until another one is chosen. `kind`: how it is asked for. */
const SavedParameter = z.object({
  name: z.string().regex(/^[a-z]\w{0,40}$/iu),
  kind: z.enum(["date", "date-time", "number", "text"]),
  value: z.string().max(limit.parameterCharsMax),
});

export const QueryContent = z.object({
  kind: z.literal("query"),
  text: z.string().min(1).max(limit.textCharsMax),
  parameters: z.array(SavedParameter).max(limit.parametersMax).default([]),
  chart: Chart,
});
export type QueryContent = z.infer<typeof QueryContent>;

/** `query`: a saved query with its newest chart, whose parameters `from` and `to` are the dashboard's range. */
const TileSource = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("query"), queryId: Uuid }),
  z.object({ kind: z.literal("question"), question: QuestionName, chart: z.enum(chartKinds) }),
]);

/** Tiles stand in their order; `width`: in parts of a row of three. An empty title: that of its source. */
export const Tile = z.object({
  tileId: Uuid,
  title: line(limit.titleCharsMax).default(""),
  width: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  source: TileSource,
});
export type Tile = z.infer<typeof Tile>;

/** Both days included. `last`: so many days until yesterday, in UTC as all days of the views. */
const DashboardRange = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("last"), days: z.int().min(1).max(limit.questionDaysMax) }),
  z.object({ kind: z.literal("days"), from: z.iso.date(), to: z.iso.date() }),
]);

export const DashboardContent = z.object({
  kind: z.literal("dashboard"),
  tiles: z
    .array(Tile)
    .max(limit.tilesMax)
    .refine(
      (tiles) => new Set(tiles.map(({ tileId }) => tileId)).size === tiles.length,
      "ids of tiles differ",
    ),
  range: DashboardRange,
});
export type DashboardContent = z.infer<typeof DashboardContent>;

export const WorkContent = z.discriminatedUnion("kind", [QueryContent, DashboardContent]);
export type WorkContent = z.infer<typeof WorkContent>;

/** Work in a list. */
export const SavedSummary = z.object({
  workId: Uuid,
  kind: z.enum(savedKinds),
  title: z.string(),
  /** Of the account that asks. */
  isOwn: z.boolean(),
  /** Its owner's account was deleted; who saves it next becomes its owner. */
  isHandedOver: z.boolean(),
  sharedWith: z.array(z.enum(sharingRoles)),
  /** The newest; the first is 1. */
  version: z.int().positive(),
  createdAt: Instant,
  changedAt: Instant,
  archivedAt: Instant.nullable(),
});
export type SavedSummary = z.infer<typeof SavedSummary>;

/** With its newest content; `versions`: the newest first. */
export const SavedWork = SavedSummary.extend({
  content: WorkContent,
  versions: z.array(z.object({ version: z.int().positive(), savedAt: Instant })),
});
export type SavedWork = z.infer<typeof SavedWork>;

/** When a delivery is due, by clocks of its zone. A month without that day: its last day. `weekday`: 1 is Monday. */
const at = { time: z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/u), zone: TimeZone };
export const Schedule = z.discriminatedUnion("every", [
  z.object({ every: z.literal("day"), ...at }),
  z.object({ every: z.literal("week"), weekday: z.int().min(1).max(7), ...at }),
  z.object({ every: z.literal("month"), day: z.int().min(1).max(31), ...at }),
]);
export type Schedule = z.infer<typeof Schedule>;

/** `lastDays`: the days that it is about, until the day before it is sent, in UTC. */
export const DeliveryPlan = z.object({
  of: z.object({ kind: z.enum(savedKinds), workId: Uuid }),
  schedule: Schedule,
  lastDays: z.int().min(1).max(limit.questionDaysMax),
});
export type DeliveryPlan = z.infer<typeof DeliveryPlan>;

/** Why nothing is sent: by its owner; the account is no analyst any more; the work is archived, gone, or not shared any more; the mailbox refuses mails. */
export const pauseReasons = [
  "by-owner",
  "role-lost",
  "work-unavailable",
  "mailbox-refused",
] as const;
export type PauseReason = (typeof pauseReasons)[number];

/**
 * `sent`: to the address of the account; `not-withheld`: the query names no visitors, so that nothing of it may be sent;
 * `query-failed`: it was refused, or went beyond a limit; `paused`: with the reason that the delivery states.
 */
export const deliveryOutcomes = ["sent", "not-withheld", "query-failed", "paused"] as const;
export type DeliveryOutcome = (typeof deliveryOutcomes)[number];

export const Delivery = DeliveryPlan.extend({
  deliveryId: Uuid,
  /** Of the work; null where the account may not see it any more. */
  title: z.string().nullable(),
  paused: z.enum(pauseReasons).nullable(),
  /** Null while it is paused. */
  nextAt: Instant.nullable(),
  last: z.object({ dueAt: Instant, outcome: z.enum(deliveryOutcomes).nullable() }).nullable(),
});
export type Delivery = z.infer<typeof Delivery>;
