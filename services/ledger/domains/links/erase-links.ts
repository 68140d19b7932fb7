import { runCommand } from "../../kernel/commands.ts";
import type { Eraser } from "../../kernel/erasers.ts";
import { shareLinks } from "./links.ts";
import { commandMails } from "./open-mails/open-mails.ts";
import { linksOf } from "./read-models.ts";

/**
 * Erases the links of an account: none opens any more, and the keys of their words are destroyed. The
 * files follow by the timer of each fact.
 */
export const linksEraser: Eraser = {
  step: "links",
  subjectsOf: async ({ ledger }, { accountId }) =>
    (await linksOf(ledger.sql, accountId)).map(({ linkId }) => linkId),
  erase: async ({ ledger, subjects }, { accountId }, why) => {
    const held = await linksOf(ledger.sql, accountId);
    for (const { linkId: id } of held) {
      const command = { type: "EraseLink" } as const;
      const result = await runCommand(ledger, shareLinks, { ...why, id, command, body: command });
      if (result.kind === "refusal") throw new Error(`A link was not erased: ${result.code}`);
      await subjects.shred(id);
    }
    return { found: held.length, left: (await linksOf(ledger.sql, accountId)).length };
  },
};

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
