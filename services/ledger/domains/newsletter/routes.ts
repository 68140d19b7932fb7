import type { FastifyInstance } from "fastify";

import { limitForms } from "../plain-forms/limit-forms.ts";
import { addPlainForms, answerRefusedForms, requireOwnOrigin } from "../plain-forms/plain-forms.ts";
import { speakOfRefusals } from "./answers.ts";
import { addConfirmRoutes } from "./confirm.routes.ts";
import { addPreferencesRoutes } from "./preferences.routes.ts";
import type { NewsletterRoutes } from "./route-options.ts";
import { addSubscribeRoute } from "./subscribe.routes.ts";
import { addUnsubscribeRoutes } from "./unsubscribe.routes.ts";

/**
 * The newsletter's public calls. Takes a Fastify scope of its own. Leaving is neither limited nor
 * bound to an origin: mail providers post it for all of their users, from a few addresses and from
 * pages of their own. The token alone is the right to it.
 */
export async function addNewsletterRoutes(
  app: FastifyInstance,
  options: NewsletterRoutes,
): Promise<void> {
  addPlainForms(app);
  speakOfRefusals(app);
  await app.register(async (limited) => {
    await limitForms(limited, options.formsPerMinute);
    requireOwnOrigin(limited, options.publicOrigin);
    await limited.register(async (scope) => addSubscribeRoute(scope, options));
    await limited.register(async (scope) => {
      answerRefusedForms(scope, linkOutcomes);
      addConfirmRoutes(scope, options);
      addPreferencesRoutes(scope, options);
    });
  });
  await app.register(async (scope) => {
    answerRefusedForms(scope, linkOutcomes);
    addUnsubscribeRoutes(scope, options);
  });
}

/** Refusals of forms behind a link that say nothing about the link itself. */
const linkOutcomes = { incomplete: "subscribe-failed", failed: "subscribe-failed" } as const;
