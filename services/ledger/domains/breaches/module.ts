import { z } from "zod";

import { defineModule } from "../../kernel/module.ts";
import { streamKind } from "../../kernel/stream-kinds.ts";
import { breachEvents, breaches, breachRows } from "./breaches.ts";
import { addBreachRoutes } from "./routes.ts";
import { warningHandlers } from "./warnings.ts";

type Parts = {
  /** Of the record of processing activities, as `<store> <name>`. */
  readonly stores: readonly string[];
};

/** The register of breaches of personal data, and the 72 hours of each. */
export const breachesModule = ({ stores }: Parts) =>
  defineModule({
    name: "breaches",
    environment: {
      /** Where officers are mailed about breaches: a breach may concern the accounts themselves. */
      PRIVACY_OFFICERS_ADDRESS: z.string().min(3).default("privacy@protalent.example"),
    },
    events: [breachEvents],
    streams: [streamKind(breaches)],
    readModels: [breachRows],
    routes: (scope, context) => addBreachRoutes(scope, context, stores),
    slowTimers: (context, env) => warningHandlers(context, env.PRIVACY_OFFICERS_ADDRESS),
  });
