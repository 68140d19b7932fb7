import type { HeldRecord } from "@pro-talent/schemas/privacy/held-data";

import type { HeldSource } from "../../held.ts";
import { runCommand } from "../../kernel/commands.ts";
import type { Eraser } from "../../kernel/erasers.ts";
import { openDetails, shareLinks } from "./links.ts";
import { commandMails } from "./open-mails/open-mails.ts";
import { linksOf } from "./read-models.ts";
import { readFileOf } from "./stored-files.ts";

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

/** A code that its owner chose may be a word of others; the address with it is that link's alone. */
const tracesOfCode = (code: string): string[] => [
  `/l/${code}`,
  ...(code.length >= 12 && /\d/u.test(code) ? [code] : []),
];

/** The links of an account, with the words that were sealed. */
export const linksHeld: HeldSource = {
  section: "links",
  collect: async (context, { accountId }) => {
    const { sql } = context.ledger;
    const rows = await linksOf(sql, accountId);
    const records = rows.map(async ({ linkId, createdAt }): Promise<HeldRecord> => {
      const details = await openDetails(context, sql, linkId);
      return [
        { field: "label", text: details?.label ?? "" },
        ...(details?.note ? [{ field: "note" as const, text: details.note }] : []),
        ...(details?.file ? [{ field: "file" as const, text: details.file.name }] : []),
        ...(details?.url ? [{ field: "url" as const, text: details.url }] : []),
        { field: "created-at", at: createdAt },
      ];
    });
    return await Promise.all(records);
  },
  files: async function* filesOf(context, store, accountId) {
    const { sql } = context.ledger;
    for (const { linkId } of await linksOf(sql, accountId)) {
      const file = (await openDetails(context, sql, linkId))?.file ?? null;
      const content = file === null ? undefined : await readFileOf(store, file);
      if (file !== null && content !== undefined) yield { name: file.name, content };
    }
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
