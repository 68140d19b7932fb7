import { backups } from "./backups.ts";
import { hostServices } from "./host-services.ts";
import { productServices } from "./product-services.ts";

/** The process of `npm start` that hosts the services of the product named in its arguments. */
await hostServices([...productServices, backups]);
