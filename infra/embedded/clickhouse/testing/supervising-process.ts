import { startClickhouse } from "../start-clickhouse.ts";

/** A process that starts an engine, reports its address and waits to be killed. */
const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) throw new Error("A data directory is needed");
const clickhouse = await startClickhouse({ dataDir });
process.send?.({ url: clickhouse.url });
