import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { forgetEnded } from "@pro-talent/accounts/worker-app";
import { until } from "@pro-talent/platform/testing/until";

import { readBackupSettings, readStores } from "../../backup/settings.ts";
import { takeBackup } from "../../backup/take.ts";
import type { Finding } from "../compare-stored.ts";
import type { DrillOptions } from "../drill-stack.ts";
import { seededRandom } from "../record-load.ts";
import { differencesOf, dumpOf } from "./control-subject.ts";
import { type Instance, keyIds, startInstance } from "./instance.ts";
import { passKeyTimes } from "./key-times.ts";
import { eraseVisits, stepUp } from "./links-and-visits.ts";
import { askForErasure, isEmpty, type Mailbox, useMailbox } from "./mailbox-subject.ts";
import { openOfficer } from "./officer.ts";
import { purgedBackup, restoredBackup } from "./restored-backup.ts";
import { placesText, searchAll, type Searched } from "./search-all.ts";
import { live, type Subject } from "./subject.ts";

/** ClickHouse removes what a mutation replaced after eight minutes. */
const partsMsMax = 12 * 60_000;

/**
 * Two people use every feature through the product's own calls, and one of them also a mailbox without an
 * account; this one is erased. All stores are searched
 * before, after, and after the times that are stated for free pages, logs and keys; the other person is
 * compared to the byte, and a backup from before is restored, and purged.
 */
export async function canaryDrill(options: DrillOptions): Promise<Finding[]> {
  const { directory, report } = options;
  const dataDir = join(directory, "data");
  const source = { ...process.env, DATA_DIR: dataDir, BACKUP_DIR: join(directory, "backups") };
  const first = await startInstance(dataDir);
  let instance = first;
  try {
    const { control, canary, mailbox } = await twoLives(first, options);
    const settings = await readBackupSettings(source);
    const { set } = await takeBackup(settings, await readStores(source));
    const untilMs = settings.clock();
    const before = await searchAll(first, canary, canary.ids);
    report(`before: ${placesText(before)}`);
    const kept = await filesOf(first, canary);
    const changed = await erase(first, { canary, mailbox, control });
    const erased = await searchAll(first, canary, canary.ids);
    report(`erased: ${placesText(erased)}`);
    const [left, files] = [await keysLeft(first, canary), await filesOf(first, canary)];
    await first.stop();
    const backup = { settings, set, untilMs, canary, dataDir };
    const restored = await restoredBackup(directory, backup);
    await passKeyTimes(dataDir);
    instance = await startInstance(dataDir);
    await untilPartsGone(instance);
    const ids = canary.ids.filter((id) => !left.has(id));
    const aged = await searchAll(instance, canary, ids);
    report(`aged: ${placesText(aged)}`);
    return [
      ...searchFindings({ before, erased, aged }),
      {
        statement: "nothing is held any more about the mailbox without an account",
        holds: mailbox.ids.length > 2 && (await isEmpty(instance.door, mailbox)),
        figures: `${mailbox.ids.length} keys before; its new request is answered so`,
      },
      fileFinding(kept, files),
      invoiceFinding(left),
      {
        statement: "the control subject is unchanged to the byte",
        holds: changed.length === 0 && control.ids.length > 5,
        figures: `${control.ids.length} ids; ${changed.join(", ") || "no place differs"}`,
      },
      ...restored,
      await purgedBackup(directory, backup),
    ];
  } finally {
    await instance.stop().catch(() => undefined);
  }
}

async function twoLives(instance: Instance, { seed, report }: DrillOptions) {
  const random = seededRandom(seed);
  const officer = await openOfficer(instance, random);
  const control = await live(instance, random, officer);
  const holder = await live(instance, random, officer);
  // The same person writes from another address, which has no account.
  const mailbox = await useMailbox(instance, holder.words);
  const canary = { ...holder, ids: [...holder.ids, ...mailbox.ids] };
  // What follows of itself is recorded, and shipped.
  await instance.moveDays(1 / 24);
  const { ids, copyBytes, words } = canary;
  report(
    `the canary has used everything: ${words.fields.size} words, ${ids.length} ids, copy of ${copyBytes} bytes`,
  );
  return { control, canary, mailbox };
}

/** Asks for the erasure, and waits for it. @returns where the control subject has changed meanwhile */
async function erase(
  instance: Instance,
  {
    canary,
    mailbox,
    control,
  }: { readonly canary: Subject; readonly mailbox: Mailbox; readonly control: Subject },
): Promise<string[]> {
  const { door, clock, sql, moveDays } = instance;
  const { email, words, anonymousId, accountId } = canary;
  const sent = await stepUp(door, canary, clock);
  const reason = words.mixed("reason");
  await door.ask("POST /api/privacy/requests/delete", { email, reason }, sent);
  await askForErasure(door, mailbox);
  await eraseVisits(door, anonymousId);
  // As late as possible: what ends by itself after thirty days has ended, also for the other person.
  await moveDays(29.99);
  await forgetEnded(sql, clock());
  const kept = await dumpOf(instance, control);
  await moveDays(0.03);
  await until(
    "the canary and the mailbox are erased",
    async () => {
      const [row] = await sql<{ account: boolean; mailbox: boolean }[]>`
      select coalesce(bool_or(r.data::jsonb->>'accountId' = ${accountId}), false) as account,
             coalesce(bool_or(r.data::jsonb->>'relation' = 'mailbox'), false) as mailbox
        from ledger.event s join ledger.event r on r.stream = s.stream
       where s.type = 'ScanClean' and r.type = 'RequestReceived'`;
      return row?.account === true && row.mailbox;
    },
    300_000,
  );
  const changed = differencesOf(kept, await dumpOf(instance, control));
  // Hourly by the clock of the machine, which the test clock does not move.
  await forgetEnded(sql, clock());
  return changed;
}

/** Keys of the canary that are not destroyed, each with the streams that hold what they open. */
async function keysLeft({ sql }: Instance, { ids }: Subject): Promise<Map<string, string>> {
  const all = await keyIds(sql);
  const left = new Map(ids.filter((id) => all.has(id)).map((id) => [id, "nothing"]));
  const rows = await sql<{ id: string; stream: string }[]>`
    select distinct key_id::text as id, stream from ledger.event
     where key_id = any (${[...left.keys()]}::uuid[])`;
  for (const { id, stream } of rows) left.set(id, stream);
  return left;
}

/** Files of the canary's links that are stored. */
async function filesOf({ sql, dataDir }: Instance, { links }: Subject): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select distinct data::jsonb->>'fileId' as id from ledger.event where type = 'LinkDescribed'
       and stream = any (${links.map(({ linkId }) => `link-${linkId}`)}) and data::jsonb->>'fileId' is not null`;
  const names = await readdir(join(dataDir, "files"), { recursive: true });
  return rows.flatMap(({ id }) => names.filter((name) => name.includes(id)));
}

async function untilPartsGone({ clickhouse }: Instance): Promise<void> {
  await until(
    "ClickHouse has removed what was replaced",
    async () => {
      const result = await clickhouse.query({
        query:
          "SELECT count() AS parts FROM system.parts WHERE NOT active AND database = 'pro_talent'",
        format: "JSONEachRow",
      });
      const [row] = await result.json<{ parts: string }>();
      return Number(row?.parts) === 0;
    },
    partsMsMax,
  );
}

function searchFindings(of: Record<"before" | "erased" | "aged", Searched>): Finding[] {
  const { before, erased, aged } = of;
  const blind = Object.values(of).flatMap((searched) => searched.blind);
  const places = Object.values(of).reduce((sum, { decoys }) => sum + decoys, 0);
  const live = erased.places.filter(({ place }) => place !== "clickhouse/engine");
  return [
    {
      statement: "each search finds the decoys in every store first",
      holds: blind.length === 0,
      figures: `${places} decoys; ${blind.join(", ") || "none missed"}`,
    },
    {
      statement: "before the erasure the canary is there in the clear, and opens",
      holds: before.places.length > 0 && before.opened.size > 0,
      figures: placesText(before),
    },
    {
      statement: "erased, no store has a word of the canary, free pages apart",
      holds: live.length === 0,
      figures: placesText(erased),
    },
    {
      statement:
        "after the stated times nothing is left, and nothing opens with any key that exists",
      holds: aged.places.length === 0 && aged.opened.size === 0,
      figures: placesText(aged),
    },
  ];
}

const fileFinding = (kept: readonly string[], files: readonly string[]): Finding => ({
  statement: "the files of the canary are gone",
  holds: kept.length > 0 && files.length === 0,
  figures: `${kept.length} before, ${files.length} after`,
});

const invoiceFinding = (left: ReadonlyMap<string, string>): Finding => ({
  statement: "the keys that are left are those of invoices, which tax law demands",
  holds: [...left.values()].every((stream) => stream.startsWith("invoice-")),
  figures: [...left.values()].join(", "),
});
