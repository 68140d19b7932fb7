import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { Clock } from "@pro-talent/platform/runtime/clock";

import type { StudioKeys } from "./keys.ts";
import type { CvDrawer } from "./pdf/draw-cv.ts";

/** What the routes of the service work with. */
export type StudioContext = {
  /** Pool of the role `studio_app`. */
  readonly sql: Sql;
  readonly clock: Clock;
  readonly keys: StudioKeys;
  readonly drawer: CvDrawer;
};
