import { parseArgs } from "node:util";

import { readKeyPeriods } from "@pro-talent/platform/keys/key-periods";
import { KeysUnavailable } from "@pro-talent/platform/keys/key-store";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import { printLine } from "@pro-talent/platform/runtime/operator";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { runCommand } from "@pro-talent/platform/runtime/run-command";

import { checkKeys, missingEpochs } from "./kernel/keys/check-keys.ts";
import { findLedgerKeys, withDatabaseAs } from "./kernel/operator.ts";

/**
 * `npm run ledger:keys`: the epochs of keys, how far a rotation is, and whether the keys at hand are those
 * of the ledger (ends with 1 when not).
 *
 *     npm run ledger:keys -- accept-loss epochs   gives up what is wrapped under keys that are lost
 *     npm run ledger:keys -- accept-loss lookup   gives up finding known addresses
 */
const usage = "Nothing, accept-loss epochs, or accept-loss lookup.";

type Line = { readonly line: string };

async function showEpochs(sql: Sql): Promise<void> {
  const { epochDays, overlapDays } = readKeyPeriods(process.env, "LEDGER");
  const epochs = await sql<Line[]>`
    select e.key_id || '  ' || case
        when e.lost_at is not null then 'lost, accepted ' || e.lost_at::date
        when e.proof is null then 'a wrapping key: re-wrapped by the next turn'
        when row_number() over (order by e.proof is null, e.lost_at is not null, e.used_from desc) = 1
          then 'in use since ' || e.used_from::date
        else 'ends ' || (e.used_from + make_interval(days => ${epochDays + overlapDays}))::date end
      || ', data subjects: ' || (select count(*) from ledger.subject s where s.wrapping_key_id = e.key_id) as line
      from ledger.key_epoch e order by e.used_from desc`;
  const ended = await sql<Line[]>`
    select key_id || '  ' || case when destroyed_at is null
        then 'ended ' || ended_at::date || ': copies open until this wrapping key is replaced'
        else 'destroyed ' || destroyed_at::date end as line
      from ledger.ended_epoch order by ended_at desc limit 10`;
  const lookups = await sql<Line[]>`
    select k.key_id || '  lookup key since ' || k.used_from::date
      || case when k.lost_at is null then '' else ', lost' end || ', data subjects: '
      || (select count(*) from ledger.subject s where coalesce(s.lookup_key_id,
            (select key_id from ledger.lookup_key order by used_from limit 1)) = k.key_id) as line
      from ledger.lookup_key k order by k.used_from desc`;
  for (const { line } of [...epochs, ...ended, ...lookups]) printLine(line);
}

async function show(sql: Sql): Promise<number> {
  await showEpochs(sql);
  const settings = await wrongSettings(sql);
  printLine(settings.length === 0 ? "The keys are the ledger's." : `Wrong: ${settings.join(", ")}`);
  return settings.length === 0 ? 0 : 1;
}

async function wrongSettings(sql: Sql): Promise<readonly string[]> {
  try {
    await checkKeys(sql, await findLedgerKeys(process.env), false);
    return [];
  } catch (error) {
    if (error instanceof KeysUnavailable) return error.settings;
    throw error;
  }
}

/** @throws OperatorError when there is a store that cannot be opened: what is lost in it is not known */
async function lostEpochs(sql: Sql): Promise<readonly string[]> {
  try {
    return await missingEpochs(sql, await findLedgerKeys(process.env));
  } catch (cause) {
    if (!(cause instanceof KeysUnavailable)) throw cause;
    const advice = "Move it away if its key is lost.";
    throw new OperatorError(`The key store cannot be opened (${cause.code}). ${advice}`, { cause });
  }
}

/** Refuses to give up what is not lost: the keys at hand are tried first. */
async function acceptLoss(sql: Sql, what: string): Promise<number> {
  const settings = await wrongSettings(sql);
  if (what === "lookup" && settings.includes("LEDGER_LOOKUP_KEY")) {
    await sql`select ledger.accept_lost_lookup_keys()`;
    printLine(
      "Accepted. The next start takes the present lookup key; known addresses are new ones.",
    );
    return 0;
  }
  const missing = what === "epochs" ? await lostEpochs(sql) : [];
  if (missing.length === 0) {
    printLine("Nothing is lost: the keys at hand are the ledger's.");
    return 1;
  }
  const [row] = await sql<{ lost: number }[]>`
    select ledger.accept_lost_epochs(${[...missing]}) as lost`;
  printLine(`Accepted. Data subjects that cannot be read any more: ${row?.lost ?? 0}`);
  return 0;
}

await runCommand(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [command, what = "", ...more] = positionals;
  const options = { applicationName: "ledger-keys" };
  if (command === undefined) {
    return withDatabaseAs("ledger_operator", process.env, options, show);
  }
  if (command !== "accept-loss" || !["epochs", "lookup"].includes(what) || more.length > 0) {
    printLine(usage);
    return 1;
  }
  return withDatabaseAs("ledger_operator", process.env, options, (sql) => acceptLoss(sql, what));
});
