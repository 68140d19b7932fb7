import { z } from "zod";

import { defineModule } from "../../kernel/module.ts";
import { issueMessageHandlers } from "./issue/deliver-issue.ts";
import { issueEvents, newsletterIssues } from "./issue/issues.ts";
import { newsletterMessageHandlers, newsletterTimerHandlers } from "./messages.ts";
import { addNewsletterRoutes } from "./routes.ts";
import { newsletterSubscribers } from "./subscriber.read-model.ts";
import { newsletterEvents } from "./subscribers.ts";

/** The newsletter: subscribers with double opt-in, their preferences, and issues. */
export const newsletter = defineModule({
  name: "newsletter",
  environment: {
    /** Mails of an issue that one worker sends in a second. */
    NEWSLETTER_PER_SECOND: z.coerce.number().positive().default(20),
  },
  events: [newsletterEvents, issueEvents],
  readModels: [newsletterSubscribers, newsletterIssues],
  routes: addNewsletterRoutes,
  messages: (context, env) => ({
    ...newsletterMessageHandlers(context),
    ...issueMessageHandlers(context, { perSecond: env.NEWSLETTER_PER_SECOND }),
  }),
  timers: newsletterTimerHandlers,
});
