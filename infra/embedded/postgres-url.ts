import { readEnvironment } from "./env.ts";
import { readRuntime } from "./runtime-file.ts";

/** `npm run -s postgres:url`: the running database's address with password, for psql and others. */
const { dataDir } = readEnvironment();
const runtime = await readRuntime(dataDir);
if (runtime?.postgres === undefined) {
  console.error(`Nothing is running on ${dataDir}. Start it with: npm start`);
  process.exit(1);
}
console.log(runtime.postgres.ownerUrl);
