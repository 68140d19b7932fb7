import { type CommandContext, runCommand } from "../../kernel/commands.ts";
import type { Erased, Eraser } from "../../kernel/erasers.ts";
import type { WorkerContext } from "../../kernel/module.ts";
import { openDetails, shareLinks } from "./links.ts";
import { commandMails } from "./open-mails/open-mails.ts";
import { commandPortfolio, reportedPortfolios } from "./portfolios/portfolios.ts";
import { linksOf } from "./read-models.ts";
import { eraseReaderMessage } from "./reader-messages/reader-messages.ts";

/**
 * Erases the links of an account: none opens any more, and the keys of their words are destroyed. The
 * files follow by the timer of each fact.
 */
export const linksEraser: Eraser = {
  step: "links",
  subjectsOf: async ({ ledger }, { accountId }) =>
    (await linksOf(ledger.sql, accountId)).map(({ linkId }) => linkId),
  tracesOf: async (context, { accountId }) => {
    const { sql } = context.ledger;
    const links = await linksOf(sql, accountId);
    const details = await Promise.all(links.map(({ linkId }) => openDetails(context, sql, linkId)));
    return {
      values: details.flatMap((known) => (known ? tracesOfCode(known.code) : [])),
      ids: details.flatMap((known) => known?.file?.fileId ?? []),
    };
  },
  erase: async ({ ledger, subjects }, { accountId }, why) => {
    const ofPortfolio = await erasePortfolio({ ledger, subjects }, accountId, why);
    const held = await linksOf(ledger.sql, accountId);
    for (const { linkId: id } of held) {
      const command = { type: "EraseLink" } as const;
      const result = await runCommand(ledger, shareLinks, { ...why, id, command, body: command });
      if (result.kind === "refusal") throw new Error(`A link was not erased: ${result.code}`);
      await subjects.shred(id);
    }
    const { length: left } = await linksOf(ledger.sql, accountId);
    return { found: held.length + ofPortfolio.found, left: left + ofPortfolio.left };
  },
};

/** What was reported about the portfolio of an account, and messages of its readers. */
async function erasePortfolio(
  { ledger, subjects }: Pick<WorkerContext, "ledger" | "subjects">,
  accountId: string,
  why: CommandContext,
): Promise<Erased> {
  const { sql } = ledger;
  const messages = await sql<{ id: string }[]>`
    select message_id as id from ledger.reader_message where account_id = ${accountId}`;
  for (const { id } of messages)
    await eraseReaderMessage({ ledger, subjects }, id, "account-closed", why);
  const reported = await reportedPortfolios(sql, accountId);
  await commandPortfolio(ledger, accountId, { type: "ForgetPortfolio" }, why);
  const left = await sql`
    select from ledger.reader_message where account_id = ${accountId}
    union all select from ledger.portfolio_report where account_id = ${accountId}`;
  return { found: messages.length + reported.length, left: left.length };
}

/** A code that its owner chose may be a word of others; the address with it is that link's alone. */
const tracesOfCode = (code: string): string[] => [
  `/l/${code}`,
  ...(code.length >= 12 && /\d/u.test(code) ? [code] : []),
];

/** Ends the mails about opens; what was chosen about them is forgotten. */
export const openMailsEraser: Eraser = {
  step: "open-mails",
  erase: async (context, { accountId }, why) => {
    const result = await commandMails(context, accountId, { type: "EndMails" }, why);
    if (result.kind === "refusal") throw new Error(`Mails were not ended: ${result.code}`);
    const rows = await context.ledger.sql`
      select from ledger.link_open_mail where account_id = ${accountId}`;
    return { found: result.how === "recorded" ? 1 : 0, left: rows.length };
  },
};
