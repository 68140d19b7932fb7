import { parseArgs } from "node:util";

import { parseEnv } from "@pro-talent/platform/config/define-env";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import {
  operatorClock,
  operatorName,
  printLine,
  withOwnerDatabase,
} from "@pro-talent/platform/runtime/operator";
import { runCommand } from "@pro-talent/platform/runtime/run-command";
import { z } from "zod";

import { findCredentials, readHolder } from "./accounts.ts";
import { type AccountKeys, openAccountKeys } from "./keys.ts";
import { findKeySettings } from "./operator-keys.ts";
import { requestRecovery, withdrawRecovery } from "./recoveries.ts";

/**
 * The recovery of accounts whose second factors are lost. Its holder is mailed and can refuse it for
 * `RECOVERY_HOURS` (72; at least 24); then the factors are removed. Ends with 1 when nothing was done.
 *
 *     npm run accounts -- recover <address>             requests it
 *     npm run accounts -- recover --withdraw <address>  withdraws it
 *     npm run accounts -- recoveries                    what was requested, who decided, and how it ended
 */
const usage = "Use: recover <address>, recover --withdraw <address>, or recoveries";

const recoveryEnv = { RECOVERY_HOURS: z.coerce.number().int().min(24).max(720).default(72) };

type Line = { account_id: string; line: string };

async function list(sql: Sql, keys: AccountKeys): Promise<number> {
  const rows = await sql<Line[]>`
    select account_id, 'requested ' || to_char(requested_at at time zone 'utc', 'YYYY-MM-DD HH24:MI')
        || ' UTC by ' || operator || ', ' || case when ended_at is null
          then 'due ' || to_char(due_at at time zone 'utc', 'YYYY-MM-DD HH24:MI') || ' UTC'
          else outcome || ' ' || to_char(ended_at at time zone 'utc', 'YYYY-MM-DD HH24:MI') || ' UTC' end
        || case when roles_lost = '{}' then '' else ', lost ' || array_to_string(roles_lost, ', ') end
        as line
      from accounts.recovery order by requested_at desc limit 50`;
  for (const { account_id: accountId, line } of rows) {
    const holder = await readHolder(sql, keys, accountId);
    printLine(`${holder?.email ?? `${accountId} (closed)`}: ${line}`);
  }
  if (rows.length === 0) printLine("No recovery was requested.");
  return 0;
}

type Change = { readonly email: string; readonly isWithdrawn: boolean; readonly nowMs: number };

async function recover(
  sql: Sql,
  keys: AccountKeys,
  { email, isWithdrawn, nowMs }: Change,
): Promise<number> {
  const { RECOVERY_HOURS: delayHours } = parseEnv(recoveryEnv, process.env);
  const account = await findCredentials(sql, keys.addressHash(email));
  if (account === undefined) {
    printLine("No account has this address.");
    return 1;
  }
  const { accountId } = account;
  if (isWithdrawn) {
    const was = await withdrawRecovery(sql, accountId, nowMs);
    printLine(was ? "It is withdrawn." : "No recovery is under way.");
    return was ? 0 : 1;
  }
  const request = { accountId, operator: operatorName(), delayHours, nowMs };
  const result = await requestRecovery(sql, keys, request);
  if (result === "not_open") printLine("The account is banned or closed.");
  else if (result === "under_way") printLine("A recovery is under way.");
  else
    printLine(
      `The factors are removed ${new Date(result.dueMs).toISOString()}, unless it is refused.`,
    );
  return typeof result === "string" ? 1 : 0;
}

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { withdraw: { type: "boolean" } },
  });
  const [command, email, ...more] = positionals;
  const isWithdrawn = values.withdraw === true;
  const isList = command === "recoveries" && email === undefined && !isWithdrawn;
  const isRecovery = command === "recover" && email !== undefined && more.length === 0;
  if (!isList && !isRecovery) {
    printLine(usage);
    return 1;
  }
  const settings = await findKeySettings(process.env);
  const nowMs = operatorClock(process.env)();
  return withOwnerDatabase(process.env, { applicationName: "accounts" }, async (sql) => {
    const keys = await openAccountKeys(sql, settings, nowMs);
    return isRecovery ? recover(sql, keys, { email, isWithdrawn, nowMs }) : list(sql, keys);
  });
});
