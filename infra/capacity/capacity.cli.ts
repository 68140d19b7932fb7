import { capacityTables } from "./tables.ts";

/**
 * `npm run capacity`: the tables of infra/docs/capacity.md, from the figures in `measured.json`, with what
 * the simulation shows.
 */
console.log(capacityTables().join("\n\n"));
