import { z } from "zod";

import { roles } from "../primitives/access.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { queryProblems } from "./calls.ts";
import { queryChannels } from "./events.ts";
import { QuestionName } from "./questions.ts";
import { chartKinds, QueryContent } from "./saved-work.ts";
import { TileAnswer, workProblems } from "./work-calls.ts";

/** What a tile, or a delivery of a query, runs. */
export const RunnableTile = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("query"), title: z.string(), content: QueryContent }),
  z.object({
    kind: z.literal("question"),
    question: QuestionName,
    chart: z.enum(chartKinds),
  }),
]);
export type RunnableTile = z.infer<typeof RunnableTile>;

/** Of the ledger, for the insights service. */
export const internalWorkCalls = defineCalls({
  "POST /internal/analyst-work/:workId/tiles/:tileId": {
    summary: "What a tile of a dashboard runs, for an account that may see both",
    access: "internal",
    params: z.object({ workId: Uuid, tileId: Uuid }),
    body: z.object({ accountId: Uuid, roles: z.array(z.enum(roles)) }),
    answer: RunnableTile,
    problems: [workProblems.work_not_found, workProblems.tile_not_found],
  },
});

const { query_not_running: _, ...ofQueries } = queryProblems;

/** Of the insights service, for the ledger. */
export const internalWithheldCalls = defineCalls({
  "POST /internal/analyst-queries/withheld": {
    summary:
      "Runs what a delivery is about for an account; groups under five visitors are withheld",
    access: "internal",
    body: z.object({
      accountId: Uuid,
      queryId: Uuid,
      channel: z.enum(queryChannels),
      tile: RunnableTile,
      from: z.iso.date(),
      to: z.iso.date(),
    }),
    answer: TileAnswer,
    problems: [workProblems.query_not_withheld, ...Object.values(ofQueries)],
    bodyBytesMax: 262_144,
  },
  "POST /internal/analyst-queries/check": {
    summary: "Why small groups of a query cannot be withheld, if so; nothing is run",
    access: "internal",
    body: QueryContent,
    answer: z.object({
      refused: z.object({ pointer: z.string(), message: z.string() }).nullable(),
    }),
    bodyBytesMax: 262_144,
  },
});
