import { runStart } from "../run-start.ts";
import type { Engine } from "../service-definition.ts";
import { twoServices } from "./fake-services.ts";

/** `npm start` with small services; engines are named in the arguments. */
const known: readonly Engine[] = ["postgres", "clickhouse", "mail"];
const wanted = known.filter((engine) => process.argv.includes(engine));
process.exit(await runStart(twoServices(), wanted));
