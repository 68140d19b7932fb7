import type { RunnableTile } from "@pro-talent/schemas/analysts/internal-work-calls";
import type { Tile, WorkContent } from "@pro-talent/schemas/analysts/saved-work";

import type { LedgerContext } from "../../kernel/module.ts";
import type { Asking } from "./decider.ts";
import { contentOf, titlesOf, visibleWork, type WorkRow, workRows } from "./read-work.ts";

type Parts = Pick<LedgerContext, "ledger" | "subjects">;

/** A query as a tile runs it; undefined where its key is destroyed. */
async function runnableQuery(context: Parts, row: WorkRow): Promise<RunnableTile | undefined> {
  const [content, titles] = await Promise.all([
    contentOf(context, row),
    titlesOf(context, [row.workId]),
  ]);
  const title = titles.get(row.workId);
  if (content?.kind !== "query" || title === undefined) return undefined;
  return { kind: "query", title, content };
}

/**
 * What a tile runs. A dashboard shows the results of the queries that its owner may see, also to those who may not see
 * the queries themselves: that is what sharing it means. @returns undefined for a query that is archived or gone
 */
async function runnableTile(
  context: Parts,
  dashboard: WorkRow,
  tile: Tile,
): Promise<RunnableTile | undefined> {
  const { source, title } = tile;
  if (source.kind === "question") return source;
  const [query] = await workRows(context, { id: source.queryId });
  const isShown =
    query?.archivedAt === null &&
    (query.sharedWith.includes("analyst") ||
      (query.ownerId !== null && query.ownerId === dashboard.ownerId));
  const runnable = isShown ? await runnableQuery(context, query) : undefined;
  if (runnable?.kind !== "query") return undefined;
  return { ...runnable, title: title === "" ? runnable.title : title };
}

/** What one tile of a dashboard runs, for an account that may see the dashboard. */
export async function tileOf(
  context: Parts,
  { workId, tileId }: { readonly workId: string; readonly tileId: string },
  asking: Asking,
): Promise<RunnableTile | "work_not_found" | "tile_not_found"> {
  const row = await visibleWork(context, workId, asking);
  const content = row && (await contentOf(context, row));
  if (row === undefined || content?.kind !== "dashboard") return "work_not_found";
  const tile = content.tiles.find((one) => one.tileId === tileId);
  const runnable = tile && (await runnableTile(context, row, tile));
  return runnable ?? "tile_not_found";
}

/** What a delivery runs, under the title of its tile, if that has one; null where its query is archived or gone. */
export type Delivered = { readonly title: string; readonly runs: RunnableTile | null };

/** All that a delivery of the work runs, in its order. */
export async function runnablesOf(context: Parts, row: WorkRow): Promise<readonly Delivered[]> {
  const content = await contentOf(context, row);
  if (content === undefined) return [];
  if (content.kind === "query")
    return [{ title: "", runs: (await runnableQuery(context, row)) ?? null }];
  return await Promise.all(
    content.tiles.map(async (tile) => {
      const runs = (await runnableTile(context, row, tile)) ?? null;
      return { title: tile.title, runs };
    }),
  );
}

/** The saved queries that a dashboard names. */
export const queriesIn = (content: WorkContent): readonly string[] =>
  content.kind === "query"
    ? []
    : content.tiles.flatMap(({ source }) => (source.kind === "query" ? [source.queryId] : []));
