import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

import { compileCache } from "./process/compile-cache.ts";

/** `npm start`: the whole product on this machine, until Ctrl-C. */
enableCompileCache(compileCache);
// Only what is loaded from here on is compiled from the cache.
const [{ runStart }, { backups }, { productServices }] = await Promise.all([
  import("./run-start.ts"),
  import("./services/backups.ts"),
  import("./services/product-services.ts"),
]);
const demo = fileURLToPath(new URL("demo.cli.ts", import.meta.url));
process.exit(await runStart({ services: [...productServices, backups], demo }));
