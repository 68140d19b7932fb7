import { startPostgres } from "../postgres/start-postgres.ts";

/** Owns a Postgres in the directory given as argument, until it is killed or asked to stop. */
const server = await startPostgres({ dataDir: process.argv[2] ?? "" });
console.log(JSON.stringify({ url: server.url, pid: server.pid() }));
process.once("SIGTERM", () => void server.stop().then(() => process.exit(0)));
