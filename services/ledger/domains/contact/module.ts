import { z } from "zod";

import { defineModule } from "../../kernel/module.ts";
import { streamKind } from "../../kernel/stream-kinds.ts";
import { contactEvents, contactMessages } from "./contact-messages.ts";
import { contactInbox } from "./inbox.read-model.ts";
import { contactMessageHandlers, contactTimerHandlers } from "./messages.ts";
import { addContactRoutes } from "./routes.ts";

/** The contact form: messages to support, their mails, the inbox and its erasure. */
export const contact = defineModule({
  name: "contact",
  environment: {
    /** Where contact messages are mailed. */
    SUPPORT_ADDRESS: z.string().min(3).default("support@protalent.example"),
  },
  events: [contactEvents],
  streams: [streamKind(contactMessages)],
  readModels: [contactInbox],
  routes: addContactRoutes,
  messages: (context, env) => contactMessageHandlers(context, env.SUPPORT_ADDRESS),
  timers: contactTimerHandlers,
});
