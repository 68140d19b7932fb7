import { parseArgs } from "node:util";

import type { Sql } from "@pro-talent/platform/postgres/pool";
import { operatorClock, printLine, withOwnerDatabase } from "@pro-talent/platform/runtime/operator";
import { runCommand } from "@pro-talent/platform/runtime/run-command";

import type { KeySettings } from "./key-settings.ts";
import { openAccountKeys } from "./keys.ts";
import { findKeySettings } from "./operator-keys.ts";
import { countFormerSeals, sealAnew } from "./seal-anew.ts";
import { followAccountsKey, heldByFormerKey } from "./service-secret.ts";

/**
 * The rotation of `ACCOUNTS_KEY`, with the former one in `ACCOUNTS_KEY_PREVIOUS`.
 *
 *     npm run accounts:keys -- --check   what still needs a former key (ends with 1 when something does)
 *     npm run accounts:keys -- rewrap    puts everything under the present one; may be repeated
 */
const usage = "Use: --check, or rewrap";

async function check(sql: Sql, settings: KeySettings): Promise<number> {
  const held = await heldByFormerKey(sql, settings);
  const former = await countFormerSeals(sql);
  for (const what of held) printLine(`Under a former ACCOUNTS_KEY: ${what}`);
  if (former > 0)
    printLine(`Sealed without a key of their own: ${former} accounts, mails and links`);
  if (held.length > 0 || former > 0) return 1;
  // Whether the keys at hand really open it.
  const keys = await openAccountKeys(sql, settings, operatorClock(process.env)());
  await keys.requireUsable(sql);
  printLine("Everything is under the present ACCOUNTS_KEY.");
  return 0;
}

async function rewrap(sql: Sql, settings: KeySettings): Promise<number> {
  const nowMs = operatorClock(process.env)();
  const keys = await openAccountKeys(sql, settings, nowMs);
  const sealed = await sealAnew(sql, keys, nowMs);
  if (sealed > 0) printLine(`Sealed anew: ${sealed} accounts, mails and links`);
  await followAccountsKey(sql, settings);
  return check(sql, settings);
}

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: "boolean" } },
  });
  const isCheck = values.check === true && positionals.length === 0;
  const isRewrap = values.check !== true && positionals.join(" ") === "rewrap";
  if (!isCheck && !isRewrap) {
    printLine(usage);
    return 1;
  }
  const settings = await findKeySettings(process.env);
  return withOwnerDatabase(process.env, { applicationName: "accounts-keys" }, (sql) =>
    isCheck ? check(sql, settings) : rewrap(sql, settings),
  );
});
