import type { Sql } from "@pro-talent/platform/postgres/pool";
import { printLine } from "@pro-talent/platform/runtime/operator";
import { runCommand } from "@pro-talent/platform/runtime/run-command";
import { looksLikeEmail } from "@pro-talent/schemas/primitives/email-shape";

import { findBlocked, mailboxKeyLabel, openMailboxes, releaseMailbox } from "./kernel/mailboxes.ts";
import { findKeyring, withDatabaseAs } from "./kernel/operator.ts";

/**
 * The do-not-mail list, for operators. The address is hashed and not kept; ends with 1 when nothing was
 * found or done.
 *
 *     npm run mailbox -- check <address>     whether its mailbox is on the list
 *     npm run mailbox -- block <address>     puts it on the list: its holder requests it
 *     npm run mailbox -- release <address>   takes it off: its holder requests it, from that address
 */
const usage = "Use: check <address>, block <address>, or release <address>";

async function mailbox(sql: Sql, command: string, address: string): Promise<number> {
  const keys = (await findKeyring(process.env, sql)).deriveKeys(mailboxKeyLabel);
  const mailboxes = openMailboxes(sql, keys);
  // An entry that was made with a former key is repeated with the present one.
  await mailboxes.admit(address, undefined);
  const hash = mailboxes.hashOf(address);
  const before = await findBlocked(sql, hash);
  if (command === "check") {
    printLine(
      before === undefined
        ? "It is not on the list."
        : `On the list since ${before.addedAt.toISOString()}: ${before.reason}`,
    );
    return before === undefined ? 1 : 0;
  }
  if (command === "block") {
    await mailboxes.block(hash, "operator");
    printLine(before === undefined ? "It is on the list now." : "It was on the list before.");
    return 0;
  }
  await releaseMailbox(sql, keys, address);
  printLine(before === undefined ? "It was not on the list." : "It is not on the list any more.");
  return before === undefined ? 1 : 0;
}

await runCommand(async () => {
  const [, , command = "", address = "", ...more] = process.argv;
  const known = ["check", "block", "release"].includes(command);
  if (!known || more.length > 0 || !looksLikeEmail(address)) {
    printLine(usage);
    return 1;
  }
  const options = { applicationName: "mailbox" };
  return withDatabaseAs("ledger_operator", process.env, options, (sql) =>
    mailbox(sql, command, address),
  );
});
