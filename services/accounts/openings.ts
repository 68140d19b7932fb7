import { callService, type ServiceAddress } from "@pro-talent/platform/http/service-client";
import type { Queryable, Sql } from "@pro-talent/platform/postgres/pool";
import { accountOpeningCalls } from "@pro-talent/schemas/accounts/opening-calls";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import {
  type AcceptedDocument,
  acceptedDocuments,
} from "@pro-talent/schemas/site/accepted-document";
import type { z } from "zod";

import type { MailLink } from "./mail-tokens.ts";

type OpeningReport = z.output<
  (typeof accountOpeningCalls)["POST /internal/account-openings"]["body"]
>;

/** Notes, with the new account, what the ledger is to record about it. */
export async function addOpening(
  tx: Queryable,
  opening: Pick<MailLink, "invitationId" | "discountPercent" | "language"> & {
    accountId: string;
    nowMs: number;
  },
): Promise<void> {
  const { accountId, invitationId, discountPercent, language, nowMs } = opening;
  const now = new Date(nowMs);
  await tx`
    insert into accounts.account_opening
      (account_id, invitation_id, discount_percent, accepted_at, documents, due_at)
    values (${accountId}, ${invitationId}::uuid, ${discountPercent}, ${now},
            ${JSON.stringify(acceptedDocuments(language))}::jsonb, ${now})`;
}

/** @throws when the ledger does not confirm that it has the report; it may have it nevertheless */
export type ReportOpening = (report: OpeningReport) => Promise<void>;

type Row = {
  account_id: string;
  invitation_id: string | null;
  discount_percent: number;
  accepted_at: Date;
  documents: AcceptedDocument[];
};

const batchSize = 10;
const firstWaitMs = 5_000;
const waitMsMax = 60 * 60_000;

/**
 * Reports the openings that are due to the ledger, each until it confirms it: an opening is never given
 * up. The ledger answers a report that it has already as it did the first time.
 * @returns how many were due
 */
export async function reportOpenings(
  sql: Sql,
  report: ReportOpening,
  nowMs: number,
): Promise<number> {
  const now = new Date(nowMs);
  // The next attempt is set before this one: a worker that ends here loses nothing.
  const due = await sql<Row[]>`
    with due as materialized (
      select account_id, attempts from accounts.account_opening
       where recorded_at is null and due_at <= ${now}::timestamptz
       order by due_at limit ${batchSize} for update skip locked)
    update accounts.account_opening o
       set attempts = o.attempts + 1,
           due_at = ${now}::timestamptz + interval '1 ms'
             * least(${firstWaitMs}::float8 * power(2, least(due.attempts, 20)), ${waitMsMax}::float8)
      from due where o.account_id = due.account_id
    returning o.account_id, o.invitation_id, o.discount_percent, o.accepted_at, o.documents`;
  const results = await Promise.allSettled(
    due.map(async (row) => {
      await report(reportOf(row));
      await sql`
        update accounts.account_opening set recorded_at = ${now}::timestamptz
         where account_id = ${row.account_id}`;
    }),
  );
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return due.length;
}

function reportOf(row: Row): OpeningReport {
  const { account_id: accountId, invitation_id: invitationId, accepted_at: at, documents } = row;
  const acceptedAt = instantFromMs(at.getTime());
  return { accountId, invitationId, discountPercent: row.discount_percent, acceptedAt, documents };
}

/** The ledger over HTTP. */
export function ledgerReports(ledger: ServiceAddress): ReportOpening {
  const call = callService(ledger, accountOpeningCalls);
  return async (report) => void (await call("POST /internal/account-openings", { body: report }));
}
