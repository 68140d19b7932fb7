import { z } from "zod";

import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { defineProblems } from "../primitives/problem.ts";
import { Query, QuestionAnswer, queryProblems, QueryResult } from "./calls.ts";
import { QueryFacts, QueryText } from "./events.ts";
import { QuestionName } from "./questions.ts";
import {
  Chart,
  chartKinds,
  Delivery,
  DeliveryPlan,
  SavedSummary,
  SavedWork,
  SharedWith,
  Title,
  WorkContent,
} from "./saved-work.ts";

export const workProblems = defineProblems({
  work_not_found: [404, "There is no such saved work, or it is not shared with you."],
  work_not_yours: [403, "Only its owner may change this."],
  work_changed: [409, "A newer version was saved meanwhile."],
  work_archived: [409, "Archived work cannot be changed. Restore it first."],
  work_full: [409, "As much is saved as may be."],
  version_not_found: [404, "There is no such version."],
  tile_not_found: [404, "The dashboard has no such tile any more."],
  /** `errors` states which rule the query breaks, and where, as far as it is known. */
  query_not_withheld: [422, "Small groups of this query cannot be withheld."],
  delivery_not_found: [404, "There is no such delivery."],
  deliveries_full: [409, "There are as many deliveries as may be."],
  delivery_sent_lately: [409, "It was sent, or is being sent, in these minutes."],
});
const problems = workProblems;
const ofWork = [problems.work_not_found, problems.work_not_yours] as const;

/** Roles that may see analytics; work that is shared with none of an account's roles is unknown to it. */
const readers = { roles: ["analyst", "administrator"] } as const;
const analyst = { roles: ["analyst"] } as const;
const base = "/api/console/analyst/work";
const params = z.object({ workId: Uuid });
const saved = z.object({ saved: SavedWork });

/** Saved queries and dashboards. */
export const savedWorkCalls = defineCalls({
  [`GET ${base}/saved` as const]: {
    summary:
      "Saved queries and dashboards: one's own, and those shared with one's roles; the last changed first",
    access: readers,
    answer: z.object({ saved: z.array(SavedSummary) }),
  },
  [`POST ${base}/saved` as const]: {
    summary: "Saves a new query or dashboard; it is shared with no one",
    access: analyst,
    body: z.object({ title: Title, content: WorkContent }),
    status: 201,
    answer: saved,
    problems: [problems.work_full, problems.work_not_found, problems.query_not_withheld],
  },
  [`GET ${base}/saved/:workId` as const]: {
    summary: "A saved query or dashboard with its newest content, and its versions",
    access: readers,
    params,
    answer: saved,
    problems: [problems.work_not_found],
  },
  [`GET ${base}/saved/:workId/versions/:version` as const]: {
    summary: "The content of a version",
    access: readers,
    params: params.extend({ version: z.coerce.number().int().positive() }),
    answer: z.object({ content: WorkContent }),
    problems: [problems.work_not_found, problems.version_not_found],
  },
  [`POST ${base}/saved/:workId/versions` as const]: {
    summary:
      "Saves a new version of a query or dashboard, unless there is a newer one than expected",
    access: analyst,
    params,
    body: z.object({ expectedVersion: z.int().positive(), content: WorkContent }),
    answer: saved,
    problems: [
      ...ofWork,
      problems.work_changed,
      problems.work_archived,
      problems.work_full,
      problems.query_not_withheld,
    ],
  },
  [`PUT ${base}/saved/:workId/title` as const]: {
    summary: "Renames a saved query or dashboard",
    access: analyst,
    params,
    body: z.object({ title: Title }),
    answer: saved,
    problems: [...ofWork, problems.work_archived],
  },
  [`PUT ${base}/saved/:workId/sharing` as const]: {
    summary: "Shares a saved query or dashboard with roles, or with none",
    access: analyst,
    params,
    body: z.object({ sharedWith: SharedWith }),
    answer: saved,
    problems: [...ofWork, problems.work_archived],
  },
  [`POST ${base}/saved/:workId/archive` as const]: {
    summary: "Archives a saved query or dashboard: it is neither changed nor delivered",
    access: analyst,
    params,
    answer: saved,
    problems: ofWork,
  },
  [`POST ${base}/saved/:workId/restore` as const]: {
    summary: "Takes a saved query or dashboard out of the archive",
    access: analyst,
    params,
    answer: saved,
    problems: ofWork,
  },
});

const deliveryParams = z.object({ deliveryId: Uuid });
const delivery = z.object({ delivery: Delivery });
const ofDelivery = [problems.delivery_not_found] as const;

/** Mails of saved work, to the address of the account that plans them alone. */
export const deliveryCalls = defineCalls({
  [`GET ${base}/deliveries` as const]: {
    summary: "The account's deliveries",
    access: analyst,
    answer: z.object({ deliveries: z.array(Delivery) }),
  },
  [`POST ${base}/deliveries` as const]: {
    summary: "Plans a delivery of a saved query or dashboard to the account's own address",
    access: analyst,
    body: DeliveryPlan,
    status: 201,
    answer: delivery,
    problems: [
      problems.work_not_found,
      problems.work_archived,
      problems.deliveries_full,
      problems.query_not_withheld,
    ],
  },
  [`PUT ${base}/deliveries/:deliveryId` as const]: {
    summary: "Changes when a delivery is sent, and which days it is about",
    access: analyst,
    params: deliveryParams,
    body: DeliveryPlan.omit({ of: true }),
    answer: delivery,
    problems: ofDelivery,
  },
  [`POST ${base}/deliveries/:deliveryId/pause` as const]: {
    summary: "Pauses a delivery",
    access: analyst,
    params: deliveryParams,
    answer: delivery,
    problems: ofDelivery,
  },
  [`POST ${base}/deliveries/:deliveryId/resume` as const]: {
    summary: "Goes on with a delivery, whyever it was paused",
    access: analyst,
    params: deliveryParams,
    answer: delivery,
    problems: [
      ...ofDelivery,
      problems.work_not_found,
      problems.work_archived,
      problems.query_not_withheld,
    ],
  },
  [`POST ${base}/deliveries/:deliveryId/send` as const]: {
    summary: "Sends a delivery now, besides its schedule; also one that is paused by its owner",
    access: analyst,
    params: deliveryParams,
    answer: delivery,
    problems: [...ofDelivery, problems.delivery_sent_lately],
  },
  [`DELETE ${base}/deliveries/:deliveryId` as const]: {
    summary: "Ends a delivery",
    access: analyst,
    params: deliveryParams,
    answer: z.object({ status: z.literal("removed") }),
    problems: ofDelivery,
  },
});

/** Where mail programs pause a delivery with one click. */
export const deliveryOffPath = "/api/analyst-deliveries/off";

/** Neither rate limited nor bound to an origin: mail providers post for all of their users. */
export const deliveryOffCalls = defineCalls({
  [`POST ${deliveryOffPath}` as const]: {
    summary: "Pauses a delivery; mail programs post here with one click (RFC 8058)",
    access: "public",
    plainForm: true,
    query: z.object({ token: z.string().max(200) }),
    body: z.looseObject({}).nullish(),
    answer: z.object({ status: z.literal("off") }),
    problems: ofDelivery,
  },
});

/** A query that the account ran. The text is null once its time is over. */
export const HistoryEntry = QueryFacts.omit({ analystId: true }).extend({
  queryId: Uuid,
  ranAt: Instant,
  text: z.string().nullable(),
  parameters: QueryText.shape.parameters,
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;

/** What the account asked. */
export const historyCalls = defineCalls({
  [`GET ${base}/history` as const]: {
    summary: "The account's own queries with their texts, the newest first",
    access: analyst,
    query: z.object({ after: z.string().max(100).optional() }),
    /** `next`: sent as `after` for the next page; null on the last one. */
    answer: z.object({ queries: z.array(HistoryEntry), next: z.string().nullable() }),
  },
});

/** `isWithheld`: groups are missing, since they are too small or since they would reveal those that are. */
const Withheld = QueryResult.extend({ isWithheld: z.boolean() });

export const TileAnswer = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("query"), title: z.string(), chart: Chart, result: Withheld }),
  z.object({
    kind: z.literal("question"),
    question: QuestionName,
    chart: z.enum(chartKinds),
    answer: QuestionAnswer,
  }),
]);
export type TileAnswer = z.infer<typeof TileAnswer>;

const { range_too_long, query_not_running: _, ...ofQueries } = queryProblems;
const whenRun = [problems.query_not_withheld, ...Object.values(ofQueries)] as const;

/** Results without small groups. They are answered by the insights service, and recorded like each query. */
export const withheldCalls = defineCalls({
  "POST /api/console/analyst/dashboards/:workId/tiles/:tileId": {
    summary: "Answers one tile of a dashboard; groups under five visitors are withheld",
    access: readers,
    params: params.extend({ tileId: Uuid }),
    /** Both days included. `queryId`: made by the client, so that it can cancel. */
    body: z.object({ queryId: Uuid, from: z.iso.date(), to: z.iso.date() }),
    answer: TileAnswer,
    problems: [problems.work_not_found, problems.tile_not_found, range_too_long, ...whenRun],
  },
  "POST /api/console/analyst/queries/withheld": {
    summary: "Runs a query and answers its rows as a dashboard and a delivery show them",
    access: analyst,
    body: Query,
    answer: Withheld,
    problems: whenRun,
  },
});
