import { hostServices } from "../services/host-services.ts";
import { fakeHostable } from "./fake-services.ts";

/** The process that hosts fake services under the names in its arguments. */
await hostServices(process.argv.slice(2).map(fakeHostable));
