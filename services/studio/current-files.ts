import { DocumentTooSlow } from "@pro-talent/platform/documents/draw-documents";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { Logger } from "@pro-talent/platform/runtime/logger";

import type { StudioContext } from "./context.ts";
import { type CvRow, openCurrent } from "./cv-rows.ts";
import { type Made, makeFile } from "./make-file.ts";
import type { DeliveryOf } from "./plans.ts";

/** The formats that are kept. */
const keptFormats = ["pdf", "docx"] as const;
type KeptFormat = (typeof keptFormats)[number];

/** Longer than between two keys: a file is made once a person pauses. */
const pauseMs = 5_000;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** When the files of a CV that was edited now are due. */
export const filesDueAfterEdit = (nowMs: number): Date => new Date(nowMs + pauseMs);

const boundTo = (cvId: string, format: KeptFormat, version: number): string =>
  `file ${cvId} ${format} ${version}`;

/** A file of a version: the one that is kept, or made now. @throws DocumentTooSlow */
export const fileOf = async (context: StudioContext, made: Made): Promise<Buffer> =>
  (await keptFile(context.sql, made)) ?? (await makeFile(context, made));

async function keptFile(
  sql: Queryable,
  { cv, version: { version }, sealer, format }: Made,
): Promise<Buffer | undefined> {
  const kept = keptFormats.find((one) => one === format);
  if (kept === undefined) return undefined;
  const [row] = await sql<{ sealed: Buffer }[]>`
    select sealed from studio.cv_file
     where cv_id = ${cv.cv_id} and account_id = ${cv.account_id} and format = ${kept}
       and version = ${version}`;
  return row && sealer.unseal(row.sealed, boundTo(cv.cv_id, kept, version));
}

type Keeping = StudioContext & { readonly deliveryOf: DeliveryOf; readonly log: Logger };
const casesPerPass = 10;

/**
 * Makes the files that are due, of accounts whose plan keeps them, and deletes those of others. What is due is
 * claimed for a minute, so that a process that ends in between, or an edit meanwhile, loses nothing.
 * @returns how many CVs were looked at
 * @throws when the ledger does not answer
 */
export async function keepFiles(keeping: Keeping): Promise<number> {
  const { sql, clock } = keeping;
  const claimed = new Date(clock() + minuteMs);
  const due = await sql<CvRow[]>`
    update studio.cv set files_due_at = ${claimed}
     where cv_id in (
       select cv_id from studio.cv where files_due_at <= ${new Date(clock())}
        order by files_due_at limit ${casesPerPass} for update skip locked)
    returning *`;
  for (const cv of due) {
    const nextAt = new Date(clock() + (await keepFilesOf(keeping, cv)));
    await sql`
      update studio.cv set files_due_at = ${nextAt}
       where cv_id = ${cv.cv_id} and account_id = ${cv.account_id} and files_due_at = ${claimed}`;
  }
  return due.length;
}

/** @returns after how long they are looked at again, in milliseconds */
async function keepFilesOf(keeping: Keeping, cv: CvRow): Promise<number> {
  const delivery = await keeping.deliveryOf(cv.account_id);
  if (delivery === "restricted") return dayMs;
  if (delivery === "manual") {
    await deleteFiles(keeping.sql, cv);
    return dayMs;
  }
  try {
    for (const format of keptFormats) await keepOne(keeping, cv, format);
    return dayMs;
  } catch (error) {
    const isTooSlow = error instanceof DocumentTooSlow;
    keeping.log.warn({ err: error }, "the current files of a CV were not made");
    if (isTooSlow) await deleteFiles(keeping.sql, cv);
    return isTooSlow ? dayMs : 10 * minuteMs;
  }
}

async function keepOne(keeping: Keeping, cv: CvRow, format: KeptFormat): Promise<void> {
  const { sql, keys, clock } = keeping;
  const { cv_id: cvId, account_id: accountId, current: version } = cv;
  const { sealer, current } = await openCurrent(sql, keys, cv);
  const made = { cv, version: current, sealer, format };
  if ((await keptFile(sql, made)) !== undefined) return;
  const file = await makeFile(keeping, made);
  const sealed = sealer.seal(file, boundTo(cvId, format, version));
  // Nothing of a CV that was deleted meanwhile.
  await sql`
    insert into studio.cv_file (cv_id, account_id, format, version, sealed, made_at)
    select cv_id, account_id, ${format}, ${version}, ${sealed}, ${new Date(clock())}
      from studio.cv where cv_id = ${cvId} and account_id = ${accountId}
    on conflict (cv_id, format) do update
      set version = excluded.version, sealed = excluded.sealed, made_at = excluded.made_at`;
}

async function deleteFiles(sql: Queryable, cv: CvRow): Promise<void> {
  await sql`
    delete from studio.cv_file where cv_id = ${cv.cv_id} and account_id = ${cv.account_id}`;
}
