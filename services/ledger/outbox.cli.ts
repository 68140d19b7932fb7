import { parseArgs } from "node:util";

import type { Sql } from "@pro-talent/platform/postgres/pool";
import { operatorName, printLine } from "@pro-talent/platform/runtime/operator";
import { runCommand } from "@pro-talent/platform/runtime/run-command";

import { withDatabaseAs } from "./kernel/operator.ts";
import { givenUpMessages, retryMessages } from "./kernel/outbox.ts";

/**
 * `npm run outbox -- list` shows the messages that were given up, `-- retry <id|all>` requests them again;
 * that is recorded with the operator's name. Ends with 1 when there was nothing to request.
 */
const usage = "Use: list, or retry <id|all>";
const options = { applicationName: "outbox" };

async function list(sql: Sql): Promise<number> {
  const messages = await givenUpMessages(sql);
  for (const { id, name, addedAt, givenUpAt } of messages) {
    printLine(`${id}  ${name}  requested ${addedAt}, given up ${givenUpAt}`);
  }
  if (messages.length === 0) printLine("No message was given up.");
  return 0;
}

async function retry(sql: Sql, which: string): Promise<number> {
  const ids = which === "all" ? null : [Number(which)];
  if (ids?.some((id) => !Number.isSafeInteger(id) || id < 1) === true) {
    printLine(usage);
    return 1;
  }
  const retried = await retryMessages(sql, ids, operatorName());
  printLine(
    retried === 0
      ? "No such message was given up."
      : `${retried} requested again; delivered as soon as the platform runs.`,
  );
  return retried > 0 ? 0 : 1;
}

await runCommand(async () => {
  const { positionals } = parseArgs({ allowPositionals: true, options: {} });
  const [command, which] = positionals;
  const as = (work: (sql: Sql) => Promise<number>): Promise<number> =>
    withDatabaseAs("ledger_operator", process.env, options, work);
  if (command === "list" && positionals.length === 1) return await as(list);
  if (command === "retry" && which !== undefined && positionals.length === 2) {
    return await as((sql) => retry(sql, which));
  }
  printLine(usage);
  return 1;
});
