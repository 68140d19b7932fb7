import { productServices } from "./product-services.ts";
import { runStart } from "./run-start.ts";

/** `npm start`: the whole product on this machine, until Ctrl-C. */
process.exit(await runStart(productServices, ["postgres", "clickhouse", "mail"]));
