import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { Breach, ListedBreach } from "@pro-talent/schemas/breaches/calls";
import { BreachText, DecisionText } from "@pro-talent/schemas/breaches/events";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import type { LedgerContext } from "../../kernel/module.ts";
import { loadStream, readSealed } from "../../kernel/streams.ts";
import { breachEvents, notifyBy } from "./breaches.ts";
import { noticeDrafts } from "./notice-drafts.ts";

const instant = z.date().transform((date) => instantFromMs(date.getTime()));
const Row = ListedBreach.omit({ notifyBy: true }).extend({
  discoveredAt: instant,
  closedAt: instant.nullable(),
});

async function rowsOf(sql: Queryable, breachId?: string): Promise<readonly ListedBreach[]> {
  const rows = await sql<object[]>`
    select breach_id as "breachId", discovered_at as "discoveredAt", people, records,
           data_categories as "dataCategories", people_categories as "peopleCategories", stores,
           authority, subjects, closed_at as "closedAt", version
      from ledger.breach
     where ${breachId ?? null}::uuid is null or breach_id = ${breachId ?? null}
     order by closed_at is not null, discovered_at desc, breach_id`;
  return z
    .array(Row)
    .parse(rows)
    .map((row) => ({ ...row, notifyBy: notifyBy(row.discoveredAt) }));
}

/** The register, breaches that are not closed first. */
export const listedBreaches = (sql: Queryable): Promise<readonly ListedBreach[]> => rowsOf(sql);

/** A breach with what is written about it. @returns undefined when there is none */
export async function findBreach(
  { ledger: { sql }, subjects }: Pick<LedgerContext, "ledger" | "subjects">,
  breachId: string,
): Promise<Breach | undefined> {
  const [row] = await rowsOf(sql, breachId);
  const subject = row && (await subjects.find(breachId));
  if (row === undefined || subject === undefined) return undefined;
  const stream = breachEvents.streamOf(breachId);
  const open = async <S extends z.ZodType>(type: string, contract: S) => {
    const sealed = await readSealed(sql, stream, type);
    return sealed === undefined ? undefined : subject.open(sealed.bytes, contract);
  };
  const text =
    (await open("BreachCorrected", BreachText)) ?? (await open("BreachRecorded", BreachText));
  const { events } = await loadStream(sql, breachEvents, stream);
  return Breach.parse({
    ...row,
    text,
    authorityReason: (await open("AuthorityDecided", DecisionText))?.reason ?? null,
    subjectsReason: (await open("SubjectsDecided", DecisionText))?.reason ?? null,
    drafts: text && noticeDrafts({ facts: row, text }),
    history: events.map(({ event: { type, data }, occurredAt }) => ({
      type,
      at: occurredAt,
      officerId: "officerId" in data ? data.officerId : null,
    })),
  });
}
