import { publish } from "./publish.ts";

/**
 * `node publish.cli.ts <built site> <served folder>`: puts a built site where it is served, beside
 * the assets of earlier releases.
 */
const [built, served] = process.argv.slice(2);
if (built === undefined || served === undefined) throw new Error("two folders are needed");
await publish(built, served, Date.now());
