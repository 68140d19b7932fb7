import { addCalls } from "@pro-talent/platform/http/add-calls";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import {
  reminderMailProblems,
  reminderMailsOffCalls,
  reminderMailsOffPath,
} from "@pro-talent/schemas/applications/mail-calls";
import type { FastifyInstance } from "fastify";

import { requestContext, unavailable } from "../../../kernel/http.ts";
import type { HttpContext } from "../../../kernel/module.ts";
import { addOneClicks, idOfToken } from "../../../off-tokens.ts";
import { reminderMailsOff, turnMailsOff } from "./send.ts";

export function addReminderMailRoutes(app: FastifyInstance, context: HttpContext): void {
  addOneClicks(app);
  addCalls(app, reminderMailsOffCalls, {
    [`POST ${reminderMailsOffPath}` as const]: async ({ query: { token } }, { request }) => {
      const accountId = idOfToken(context, reminderMailsOff, token);
      if (accountId === undefined)
        throw new ProblemError(reminderMailProblems.reminder_mail_token_unknown);
      const issued = requestContext(context, request, `account:${accountId}`);
      await turnMailsOff(context, accountId, issued).catch(unavailable);
      return { status: "off" as const };
    },
  });
}
