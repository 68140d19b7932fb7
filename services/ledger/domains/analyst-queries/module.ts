import { defineModule } from "../../kernel/module.ts";
import { streamKind } from "../../kernel/stream-kinds.ts";
import {
  analystQueries,
  analystQueryEvents,
  analystQueryRows,
  queryTimerHandlers,
} from "./queries.ts";
import { addAnalystQueryRoutes } from "./routes.ts";

/** The record of what analysts asked of ClickHouse. */
export const analystQueriesModule = defineModule({
  name: "analyst-queries",
  events: [analystQueryEvents],
  streams: [streamKind(analystQueries)],
  readModels: [analystQueryRows],
  routes: addAnalystQueryRoutes,
  timers: queryTimerHandlers,
});
