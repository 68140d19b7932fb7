import { z } from "zod";

import { defineModule } from "../../kernel/module.ts";
import { consentEvents, consentReceipts, currentConsent } from "./read-models.ts";
import { addConsentRoutes } from "./routes.ts";

/** Visitors' consent to analytics: decisions, the gate that the collector reads, and receipts. */
export const consent = defineModule({
  name: "consent",
  environment: {
    /** Receipts that one address may ask for in a minute. */
    RECEIPTS_PER_MINUTE: z.coerce.number().int().min(1).default(60),
  },
  events: [consentEvents],
  readModels: [currentConsent, consentReceipts],
  routes: (scope, context, env) => addConsentRoutes(scope, context, env.RECEIPTS_PER_MINUTE),
});
