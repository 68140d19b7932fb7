import { z } from "zod";

import { defineModule } from "../../kernel/module.ts";
import { streamKind } from "../../kernel/stream-kinds.ts";
import { issueMessageHandlers } from "./issue/deliver-issue.ts";
import { issueEvents, issues, newsletterIssues } from "./issue/issues.ts";
import { postalAddress } from "./mails/list.ts";
import { newsletterMessageHandlers, newsletterTimerHandlers } from "./messages.ts";
import { addNewsletterRoutes } from "./routes.ts";
import { newsletterSubscribers } from "./subscriber.read-model.ts";
import { newsletterEvents, subscribers } from "./subscribers.ts";

/** The newsletter: subscribers with double opt-in, their preferences, and issues. */
export const newsletter = defineModule({
  name: "newsletter",
  environment: {
    /** Mails of an issue that one worker sends in a second. */
    NEWSLETTER_PER_SECOND: z.coerce.number().positive().default(20),
    /** The sender's postal address, on one line, at the end of every mail; none when empty. */
    MAIL_POSTAL_ADDRESS: postalAddress,
  },
  events: [newsletterEvents, issueEvents],
  streams: [streamKind(subscribers), streamKind(issues)],
  readModels: [newsletterSubscribers, newsletterIssues],
  routes: addNewsletterRoutes,
  messages: (context, env) => ({
    ...newsletterMessageHandlers(context, env.MAIL_POSTAL_ADDRESS),
    ...issueMessageHandlers(context, {
      perSecond: env.NEWSLETTER_PER_SECOND,
      postalAddress: env.MAIL_POSTAL_ADDRESS,
    }),
  }),
  timers: newsletterTimerHandlers,
});
