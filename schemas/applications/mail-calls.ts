import { z } from "zod";

import { defineCalls } from "../primitives/calls.ts";
import { defineProblems } from "../primitives/problem.ts";

/** Where mail programs turn the mails off with one click. */
export const reminderMailsOffPath = "/api/applications/reminder-mails/off";

export const reminderMailProblems = defineProblems({
  reminder_mail_token_unknown: [404, "This token is not known."],
});

/** Neither rate limited nor bound to an origin: mail providers post for all of their users. */
export const reminderMailsOffCalls = defineCalls({
  [`POST ${reminderMailsOffPath}` as const]: {
    summary:
      "Turns mails of planned reminders off; mail programs post here with one click (RFC 8058)",
    access: "public",
    plainForm: true,
    query: z.object({ token: z.string().max(200) }),
    body: z.looseObject({}).nullish(),
    answer: z.object({ status: z.literal("off") }),
    problems: [reminderMailProblems.reminder_mail_token_unknown],
  },
});
