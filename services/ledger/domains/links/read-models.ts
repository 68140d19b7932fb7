import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { linkTargets } from "@pro-talent/schemas/links/events";
import { reportReasons } from "@pro-talent/schemas/links/report-reasons";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import { column, optional, readModel } from "../../kernel/read-model.ts";
import { linkEvents } from "./links.ts";

/** The links that exist: whose they are, what they lead to, and whether they open. */
export const linkRows = readModel({
  table: "link",
  version: 1,
  mode: "inline",
  purpose: "Lists the links of an account, and answers what a link opens",
  retention: "Until the link is deleted, or its owner's account",
  events: linkEvents,
  key: { link_id: column.uuid("pseudonym", "Names the link; follows from its code under a key") },
  columns: {
    account_id: column.uuid("pseudonym", "Names the owner"),
    target: column.text("coarse", "File, public page or address elsewhere"),
    file_id: optional(column.uuid("pseudonym", "Names the stored file")),
    locked: column.boolean("operational", "Whether a password is asked for"),
    revoked: column.boolean("operational", "By the owner"),
    taken_down: column.boolean("operational", "By an administrator"),
    reports: column.integer("operational", "How often it was reported"),
    last_report: optional(column.text("operational", "The reason of the last report")),
    reported_at: optional(column.instant("operational", "When it was reported last")),
    expires_at: optional(column.instant("operational", "When it ends")),
    created_at: column.instant("operational", "When it was made"),
  },
  evolve: (row, { event, occurredAt }) => {
    if (event.type === "LinkCreated")
      return {
        account_id: event.data.accountId,
        target: "profile",
        file_id: null,
        locked: false,
        revoked: false,
        taken_down: false,
        reports: 0,
        last_report: null,
        reported_at: null,
        expires_at: null,
        created_at: occurredAt,
      };
    if (row === null) return null;
    switch (event.type) {
      case "LinkDescribed": {
        const { target, fileId, locked, expiresAt } = event.data;
        return { ...row, target, file_id: fileId, locked, expires_at: expiresAt };
      }
      case "LinkRevoked":
        return { ...row, revoked: true };
      case "LinkRestored":
        return { ...row, revoked: false };
      case "LinkReported": {
        const { reason } = event.data;
        return { ...row, reports: row.reports + 1, last_report: reason, reported_at: occurredAt };
      }
      case "LinkTakenDown":
        return { ...row, taken_down: true };
      case "LinkReinstated":
        return { ...row, taken_down: false };
      case "LinkErased":
        return null;
    }
  },
  indexes: [{ on: "(account_id, created_at)" }, { on: "(file_id) where file_id is not null" }],
});

const instant = z.date().transform((date): Instant => instantFromMs(date.getTime()));
const Row = z.object({
  linkId: z.string(),
  accountId: z.string(),
  target: z.enum(linkTargets),
  fileId: z.string().nullable(),
  locked: z.boolean(),
  revoked: z.boolean(),
  takenDown: z.boolean(),
  reports: z.int(),
  lastReport: z.enum(reportReasons).nullable(),
  reportedAt: instant.nullable(),
  expiresAt: instant.nullable(),
  createdAt: instant,
});
export type LinkRow = z.infer<typeof Row>;

const rowColumns = (sql: Queryable) => sql`
  link_id as "linkId", account_id as "accountId", target, file_id as "fileId", locked, revoked,
  taken_down as "takenDown", reports, last_report as "lastReport", reported_at as "reportedAt", expires_at as "expiresAt", created_at as "createdAt"`;

/** The links of an account, the newest first. */
export async function linksOf(sql: Queryable, accountId: string): Promise<readonly LinkRow[]> {
  const rows = await sql<object[]>`
    select ${rowColumns(sql)} from ledger.link
     where account_id = ${accountId} order by created_at desc, link_id`;
  return z.array(Row).parse(rows);
}

/** The first of these that exists. */
export async function findLink(
  sql: Queryable,
  linkIds: readonly string[],
): Promise<LinkRow | undefined> {
  const [row] = await sql<object[]>`
    select ${rowColumns(sql)} from ledger.link
     where link_id = any (${linkIds}::uuid[]) order by created_at limit 1`;
  return row === undefined ? undefined : Row.parse(row);
}

/** Those of these files that a link still refers to. */
export async function usedFiles(
  sql: Queryable,
  fileIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ fileId: string }[]>`
    select distinct file_id as "fileId" from ledger.link where file_id = any (${fileIds}::uuid[])`;
  return new Set(rows.map(({ fileId }) => fileId));
}

const Reported = z.object({
  linkId: z.string(),
  accountId: z.string(),
  status: z.enum(["active", "revoked", "taken-down"]),
  reports: z.int(),
  lastReason: z.enum(reportReasons),
  lastAt: instant,
});

/** Reported links, those that were reported last first. */
export async function reportedLinks(sql: Queryable) {
  const rows = await sql<object[]>`
    select link_id as "linkId", account_id as "accountId", reports, last_report as "lastReason",
           reported_at as "lastAt",
           case when taken_down then 'taken-down' when revoked then 'revoked' else 'active' end as status
      from ledger.link where reports > 0 order by reported_at desc limit 200`;
  return z.array(Reported).parse(rows);
}
