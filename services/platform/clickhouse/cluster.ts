import type { ClickHouseClient } from "./connect.ts";

/** A cluster of shards, each with replicas, and by which expression each table is divided among them. */
export type ClickhouseCluster = {
  readonly name: string;
  readonly shardingKeys: Readonly<Record<string, string>>;
};

/** The part of a table on one shard. */
const stored = (table: string): string => `${table}_local`;
const tableNames = /(\{database\}\.)(\w+)/g;
const head =
  /^(CREATE TABLE IF NOT EXISTS|CREATE MATERIALIZED VIEW IF NOT EXISTS|ALTER TABLE) \{database\}\.(\w+)/m;
/** What a Distributed table has not, because it stores nothing. */
const ofStored = /\bMODIFY (?:SETTING|TTL)\b/;

/**
 * A statement of a migration, still with its placeholders, as a cluster needs it. Every table becomes two: what
 * a shard stores, under the name `<table>_local`, and a Distributed table under the table's own name, which
 * divides what is inserted and reads all shards. So services and views name the same tables on one server and
 * on a cluster. Materialised views stay within their shard.
 * @throws when a table has no sharding key
 */
export function clusterStatements(
  statement: string,
  { name, shardingKeys }: ClickhouseCluster,
): string[] {
  const [, form, table = ""] = head.exec(statement) ?? [];
  // Views read all shards.
  if (form === undefined) return [statement];
  const isTable = Object.hasOwn(shardingKeys, table);
  const onShard = statement.replaceAll(tableNames, (whole, database: string, named: string) =>
    Object.hasOwn(shardingKeys, named) ? database + stored(named) : whole,
  );
  if (form === "CREATE TABLE IF NOT EXISTS") {
    if (!isTable) throw new Error(`The table ${table} has no sharding key`);
    const distributed = `Distributed(\`${name}\`, {database}, ${stored(table)}, ${shardingKeys[table] ?? ""})`;
    return [
      onShard,
      `CREATE TABLE IF NOT EXISTS {database}.${table} {on_cluster} AS {database}.${stored(table)}\nENGINE = ${distributed}`,
    ];
  }
  return isTable && !ofStored.test(statement) ? [onShard, statement] : [onShard];
}

type Place = { readonly database: string; readonly cluster?: string | undefined };

/** The table that stores the rows of a table: on a cluster the part on one shard. */
export const storingTable = ({ database, cluster }: Place, table: string): string =>
  `\`${database}\`.\`${cluster === undefined ? table : stored(table)}\``;

/** Where rows of a table are changed or removed: on a cluster on all its shards. */
export function storedTable(place: Place, table: string): string {
  const name = storingTable(place, table);
  return place.cluster === undefined ? name : `${name} ON CLUSTER \`${place.cluster}\``;
}

/**
 * Resolves once every replica has what any of them took: a question may be answered by each. At once on one
 * server. @throws what ClickHouse throws, while a replica is away
 */
export async function syncReplicas(
  store: {
    readonly clickhouse: Pick<ClickHouseClient, "command">;
    readonly database: string;
    readonly cluster?: string | undefined;
  },
  tables: readonly string[],
): Promise<void> {
  const { clickhouse, database, cluster } = store;
  if (cluster === undefined) return;
  for (const table of tables) {
    await clickhouse.command({
      query: `SYSTEM SYNC REPLICA ON CLUSTER \`${cluster}\` \`${database}\`.\`${stored(table)}\` LIGHTWEIGHT`,
    });
  }
}
