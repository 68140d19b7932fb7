import { addCalls } from "@pro-talent/platform/http/add-calls";
import { addPlainForms } from "@pro-talent/platform/http/plain-forms";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import {
  reminderMailProblems,
  reminderMailsOffCalls,
  reminderMailsOffPath,
} from "@pro-talent/schemas/applications/mail-calls";
import type { FastifyInstance } from "fastify";

import { requestContext, unavailable } from "../../../kernel/http.ts";
import type { HttpContext } from "../../../kernel/module.ts";
import { accountOfToken } from "../../../off-tokens.ts";
import { reminderMailsOff, turnMailsOff } from "./send.ts";

/** There is no GET: programs that look into links before the reader does would turn mails off. */
export function addReminderMailRoutes(app: FastifyInstance, context: HttpContext): void {
  addPlainForms(app);
  // RFC 8058 §3.1 prefers this type; its only field repeats what the header states.
  app.addContentTypeParser("multipart/form-data", { parseAs: "string" }, (_request, _body, done) =>
    done(null, {}),
  );
  addCalls(app, reminderMailsOffCalls, {
    [`POST ${reminderMailsOffPath}` as const]: async ({ query: { token } }, { request }) => {
      const accountId = accountOfToken(context, reminderMailsOff, token);
      if (accountId === undefined)
        throw new ProblemError(reminderMailProblems.reminder_mail_token_unknown);
      const issued = requestContext(context, request, `account:${accountId}`);
      await turnMailsOff(context, accountId, issued).catch(unavailable);
      return { status: "off" as const };
    },
  });
}
