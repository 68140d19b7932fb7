import {
  savedKinds,
  type SavedSummary,
  type SavedWork,
  sharingRoles,
  type WorkContent,
} from "@pro-talent/schemas/analysts/saved-work";
import { SealedTitle, SealedWork } from "@pro-talent/schemas/analysts/work-events";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import type { LedgerContext } from "../../kernel/module.ts";
import { type Asking, maySee } from "./decider.ts";
import { savedWorkEvents } from "./saved-work.ts";

type Parts = Pick<LedgerContext, "ledger" | "subjects">;

const At = z.date().transform((date) => instantFromMs(date.getTime()));
const Row = z.object({
  workId: z.string(),
  ownerId: z.string().nullable(),
  kind: z.enum(savedKinds),
  sharedWith: z.array(z.enum(sharingRoles)),
  version: z.int(),
  createdAt: At,
  changedAt: At,
  archivedAt: At.nullable(),
});
export type WorkRow = z.output<typeof Row>;

type Wanted = { readonly ownerId: string } | { readonly seenBy: Asking } | { readonly id: string };

/** Work of an owner, or that an account may see, or of an id; the last changed first. */
export async function workRows(
  { ledger: { sql } }: Pick<Parts, "ledger">,
  wanted: Wanted,
): Promise<readonly WorkRow[]> {
  const ownerId = "ownerId" in wanted ? wanted.ownerId : null;
  const asking = "seenBy" in wanted ? wanted.seenBy : undefined;
  const rows = await sql<object[]>`
    select work_id as "workId", owner_id as "ownerId", kind, shared_with as "sharedWith", version,
           created_at as "createdAt", changed_at as "changedAt", archived_at as "archivedAt"
      from ledger.saved_work
     where work_id = ${"id" in wanted ? wanted.id : null}
        or owner_id = ${ownerId ?? asking?.accountId ?? null}
        or shared_with ?| ${[...(asking?.roles ?? [])]}::text[]
     order by changed_at desc, work_id`;
  return z.array(Row).parse(rows);
}

/** One work that an account may see; undefined for others. */
export async function visibleWork(
  context: Pick<Parts, "ledger">,
  workId: string,
  asking: Asking,
): Promise<WorkRow | undefined> {
  const [row] = await workRows(context, { id: workId });
  return row !== undefined && maySee(row, asking) ? row : undefined;
}

/** Titles by the ids of the work, without work whose key is destroyed. */
export async function titlesOf(
  { ledger: { sql }, subjects }: Parts,
  workIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const [rows, keys] = await Promise.all([
    sql<{ keyId: string; sealed: Buffer }[]>`
      select distinct on (stream) key_id as "keyId", sealed from ledger.event
       where stream = any (${workIds.map((id) => savedWorkEvents.streamOf(id))}::text[])
         and sealed is not null
         and (type = 'WorkRenamed' or (type = 'WorkSaved' and data::jsonb->>'version' = '1'))
       order by stream, version desc`,
    subjects.findAll(workIds),
  ]);
  return new Map(
    rows.flatMap(({ keyId, sealed }) => {
      const subject = keys.get(keyId);
      return subject ? [[keyId, subject.open(sealed, SealedTitle).title] as const] : [];
    }),
  );
}

/** Work as it is listed for an account. */
export async function summariesOf(
  context: Parts,
  rows: readonly WorkRow[],
  { accountId }: Asking,
): Promise<SavedSummary[]> {
  const titles = await titlesOf(
    context,
    rows.map(({ workId }) => workId),
  );
  return rows.flatMap(({ ownerId, ...row }) => {
    const title = titles.get(row.workId);
    if (title === undefined) return [];
    return [{ ...row, title, isOwn: ownerId === accountId, isHandedOver: ownerId === null }];
  });
}

/** The content of a version; undefined where there is none, or its key is destroyed. */
export async function contentOf(
  { ledger: { sql }, subjects }: Parts,
  { workId, version }: { readonly workId: string; readonly version: number },
): Promise<WorkContent | undefined> {
  const [row] = await sql<{ sealed: Buffer | null }[]>`
    select sealed from ledger.event
     where stream = ${savedWorkEvents.streamOf(workId)} and type = 'WorkSaved'
       and data::jsonb->>'version' = ${String(version)}`;
  const subject = await subjects.find(workId);
  const sealed = row?.sealed ?? undefined;
  return sealed && subject?.open(sealed, SealedWork).content;
}

/** Work with its newest content; undefined once its key is destroyed. */
export async function wholeWork(
  context: Parts,
  row: WorkRow,
  asking: Asking,
): Promise<SavedWork | undefined> {
  const { sql } = context.ledger;
  const [[summary], content, saved] = await Promise.all([
    summariesOf(context, [row], asking),
    contentOf(context, row),
    sql<{ version: number; at: Date }[]>`
      select (data::jsonb->>'version')::int as version, occurred_at as at from ledger.event
       where stream = ${savedWorkEvents.streamOf(row.workId)} and type = 'WorkSaved'
       order by version desc`,
  ]);
  if (summary === undefined || content === undefined) return undefined;
  const savedAt = (at: Date): Instant => instantFromMs(at.getTime());
  const versions = saved.map(({ version, at }) => ({ version, savedAt: savedAt(at) }));
  return { ...summary, content, versions };
}
