import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { testRolePassword as password } from "@pro-talent/platform/testing/engines";

import { copyPostgres, restorePostgres } from "../../backup/postgres.ts";
import { type RunningPostgres, startPostgres } from "../../embedded/postgres/start-postgres.ts";

/** A copy of the primary that follows it: what `pg_basebackup --write-recovery-conf` makes. */
export async function startStandby(
  primary: RunningPostgres,
  place: string,
): Promise<RunningPostgres> {
  await mkdir(place);
  const set = { directory: place, id: "copy", key: Buffer.alloc(32) };
  const { archive } = await copyPostgres(set, primary.url, Date.now);
  const address = `host=127.0.0.1 port=${primary.port} user=standby password=${password}`;
  await restorePostgres(set, archive, place, async (log) => {
    const [signal, settings] = [
      join(dirname(log), "standby.signal"),
      join(dirname(log), "postgresql.auto.conf"),
    ];
    await writeFile(signal, "");
    await writeFile(settings, `primary_conninfo = '${address}'\nprimary_slot_name = 'standby'\n`);
    return [signal, settings];
  });
  return await startPostgres({ dataDir: join(place, "postgres"), password });
}
