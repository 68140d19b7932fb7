import type { Sealer } from "@pro-talent/platform/crypto/sealer";
import {
  beginFirstEpoch,
  type DataKeyPlace,
  type DataKeys,
  dataKeysOf,
} from "@pro-talent/platform/keys/data-keys";
import type { Queryable, Sql } from "@pro-talent/platform/postgres/pool";

/** The keys of the service: one for each account that has CVs, named by the account's id. */
export type StudioKeys = Pick<DataKeys, "find" | "sealerOf" | "requireUsable"> & {
  /** With a new key for an account that has none. @throws KeysUnavailable */
  readonly sealerFor: (sql: Queryable, accountId: string, nowMs: number) => Promise<Sealer>;
};

/**
 * The keys of a process. The first start begins the first epoch.
 * @param sql a pool of the role `studio_app`
 * @throws KeysUnavailable when the given keys are not those of the database
 */
export async function openStudioKeys(
  sql: Sql,
  place: DataKeyPlace,
  nowMs: number,
): Promise<StudioKeys> {
  const keys = dataKeysOf(place);
  await sql.begin(async (tx) => {
    // Processes that start together begin one epoch.
    await tx`select pg_advisory_xact_lock(hashtextextended('studio keys', 0))`;
    await beginFirstEpoch(tx, place, nowMs);
  });
  await keys.requireUsable(sql);
  return {
    ...keys,
    sealerFor: async (tx, accountId, atMs) => {
      const known = await keys.find(tx, accountId);
      if (known !== undefined) return known;
      const { wrapped, epochId } = await keys.make(tx, accountId);
      await tx`
        insert into studio.data_key (key_id, wrapped, epoch_id, created_at)
        values (${accountId}, ${wrapped}, ${epochId}, ${new Date(atMs)})
        on conflict (key_id) do nothing`;
      return keys.sealerOf(tx, accountId);
    },
  };
}
