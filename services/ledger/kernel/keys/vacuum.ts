import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { repeat, type Repetition } from "@pro-talent/platform/runtime/repeat";

const everyMs = 5 * 60 * 1000;

/**
 * The connections of the worker's role for keys. A vacuum on them pauses after little work each time, so
 * that it costs others little, and may therefore take long.
 * @param url the database, as the role `ledger_keeper`
 */
export function openKeeperPool(url: string): Sql {
  const paced = new URL(url);
  paced.searchParams.set("options", "-c vacuum_cost_delay=2");
  return openPool(paced.href, {
    max: 2,
    applicationName: "ledger-keeper",
    statementSecondsMax: 3600,
  });
}

/**
 * Takes removed keys and dropped ciphertexts off the pages of their tables, if any were removed since the
 * last time. A removal during the vacuum makes another one due; an interrupted one is repeated.
 * @param keeper a pool of the role `ledger_keeper` whose statements may take as long as a vacuum
 * @returns whether there was anything to do
 */
export async function vacuumRemoved(keeper: Sql): Promise<boolean> {
  const [row] = await keeper<{ due: boolean }[]>`select ledger.begin_vacuum() as due`;
  if (row?.due !== true) return false;
  // Without the step that locks out readers to give pages back.
  for (const table of ["ledger.subject", "ledger.event"]) {
    await keeper.unsafe(`vacuum (truncate false, skip_database_stats) ${table}`);
  }
  await keeper`select ledger.end_vacuum()`;
  return true;
}

/** Vacuums every five minutes, if it is due, until stopped. */
export function startVacuuming(keeper: Sql, log: Logger): Repetition {
  return repeat({
    everyMs,
    pass: async () => {
      await vacuumRemoved(keeper);
      return "wait";
    },
    onFailing: (error) => log.error({ err: error }, "removed rows are not vacuumed"),
  });
}
