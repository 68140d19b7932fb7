import {
  callService,
  type ServiceAddress,
  streamServiceFile,
} from "@pro-talent/platform/http/service-client";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import { OpenView } from "@pro-talent/schemas/insights/calls";
import { internalInsightCalls } from "@pro-talent/schemas/insights/internal-calls";
import type { HeldRecord } from "@pro-talent/schemas/privacy/held-data";
import { stringify } from "csv-stringify";

import type { HeldSource, RecipientSource } from "../../held.ts";
import { openDetails } from "./links.ts";
import { reportedPortfolios } from "./portfolios/portfolios.ts";
import { type LinkRow, linksOf } from "./read-models.ts";
import { readFileOf } from "./stored-files.ts";

/** The links of an account, with the words that were sealed, and what was reported about them. */
export const linksHeld: HeldSource = {
  section: "links",
  collect: async function heldLinks(context, { accountId }) {
    const { sql } = context.ledger;
    const rows = await linksOf(sql, accountId);
    const records = rows.map(async (row): Promise<HeldRecord> => {
      const details = await openDetails(context, sql, row.linkId);
      return [
        { field: "label", text: details?.label ?? "" },
        ...(details?.note ? [{ field: "note" as const, text: details.note }] : []),
        ...(details?.file ? [{ field: "file" as const, text: details.file.name }] : []),
        ...(details?.url ? [{ field: "url" as const, text: details.url }] : []),
        { field: "created-at", at: row.createdAt },
        ...reportsOf(row),
      ];
    });
    return [...(await Promise.all(records)), ...(await portfolioReportsOf(sql, accountId))];
  },
  files: async function* filesOf(context, store, { accountId }) {
    const { sql } = context.ledger;
    const seen = new Set<string>();
    for (const { linkId, fileId } of await linksOf(sql, accountId)) {
      // Several links may lead to one file.
      if (fileId === null || seen.has(fileId)) continue;
      seen.add(fileId);
      const file = (await openDetails(context, sql, linkId))?.file ?? null;
      const content = file === null ? undefined : await readFileOf(store, file);
      if (file !== null && content !== undefined) yield { name: file.name, content };
    }
  },
};

/** What was reported about the portfolio of the account. */
async function portfolioReportsOf(sql: Queryable, accountId: string): Promise<HeldRecord[]> {
  const [reported] = await reportedPortfolios(sql, accountId);
  if (reported === undefined) return [];
  const { takenDown, reports, lastReason, lastAt } = reported;
  return [
    [
      { field: "label", word: "portfolio" },
      { field: "status", word: takenDown ? "taken-down" : "active" },
      { field: "reports", count: reports },
      { field: "reason", word: lastReason },
      { field: "changed-at", at: lastAt },
    ],
  ];
}

function reportsOf({ reports, lastReport, reportedAt }: LinkRow): HeldRecord {
  if (reports === 0 || lastReport === null) return [];
  return [
    { field: "reports", count: reports },
    { field: "reason", word: lastReport },
    ...(reportedAt === null ? [] : [{ field: "changed-at" as const, at: reportedAt }]),
  ];
}

/** Those who open a link: its owner chose to pass it on. */
export const linkRecipients: RecipientSource = async ({ ledger }, { accountId }) => {
  const oldest = (await linksOf(ledger.sql, accountId)).at(-1);
  if (oldest === undefined) return [];
  const firstAt = oldest.createdAt;
  return [{ recipient: "link-visitors", name: null, firstAt, lastAt: null }];
};

/** Opens of the links: how many of each, and in the package every one. */
export function opensHeldOver(insights: ServiceAddress): HeldSource {
  const call = callService(insights, internalInsightCalls, 20_000);
  return {
    section: "opens",
    collect: async (context, { accountId, at: until }) => {
      const body = { accountId, until };
      const { links } = await call("POST /internal/insights/held", { body });
      const { sql } = context.ledger;
      const records = links.map(async ({ linkId, opens }): Promise<HeldRecord> => {
        // Its own address counts as one more link of a portfolio.
        if (linkId === accountId)
          return [
            { field: "label", word: "portfolio" },
            { field: "opens", count: opens },
          ];
        const label = (await openDetails(context, sql, linkId))?.label;
        return [
          label === undefined
            ? { field: "label", word: "deleted-link" }
            : { field: "label", text: label },
          { field: "opens", count: opens },
        ];
      });
      return await Promise.all(records);
    },
    tables: (_context, { accountId, at }) => {
      const path = `/internal/insights/held/${accountId}?until=${encodeURIComponent(at)}`;
      const lines = () => streamServiceFile(insights, path);
      return [
        { path: "opens/opens.jsonl", content: lines() },
        { path: "opens/opens.csv", content: tableOf(lines()) },
      ];
    },
  };
}

const columns = Object.keys(OpenView.shape);

/** The same as a table (RFC 4180), with the mark by which Excel reads UTF-8. */
async function* tableOf(lines: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const table = stringify({
    header: true,
    columns,
    bom: true,
    record_delimiter: "windows",
    escape_formulas: true,
  });
  const filled = fill(table, lines).catch((error: unknown) => {
    table.destroy(error instanceof Error ? error : new Error("The opens cannot be read"));
  });
  for await (const part of table) if (part instanceof Uint8Array) yield part;
  await filled;
}

async function fill(
  table: ReturnType<typeof stringify>,
  lines: AsyncIterable<Uint8Array>,
): Promise<void> {
  for await (const line of textLines(lines)) {
    const open = OpenView.parse(JSON.parse(line));
    if (!table.write(open)) await new Promise((resolve) => table.once("drain", resolve));
  }
  table.end();
}

async function* textLines(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of parts) {
    const pieces = (rest + decoder.decode(part, { stream: true })).split("\n");
    rest = pieces.pop() ?? "";
    yield* pieces;
  }
}
