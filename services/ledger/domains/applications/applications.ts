import { ApplicationEvent } from "@pro-talent/schemas/applications/events";

import type { Sealed } from "../../kernel/append.ts";
import {
  type CommandContext,
  type CommandResult,
  runCommand,
  type StreamDefinition,
} from "../../kernel/commands.ts";
import { defineEvents } from "../../kernel/events.ts";
import type { LedgerContext } from "../../kernel/module.ts";
import type { SubjectKind } from "../../kernel/subjects.ts";
import {
  type ApplicationCommand,
  applicationDecider,
  type ApplicationRefusalCode,
  type ApplicationState,
} from "./decider.ts";
import { nextDue } from "./reminders/decider.ts";

/** The events of one application. */
export const applicationEvents = defineEvents("application", ApplicationEvent);

/** Each application has a data subject of its own, found by its applicant's address, so that it can be erased alone. */
export const applicant: SubjectKind = "applications.applicant";

/** Records reminders that are due. */
export const remindTimer = "applications.remind";
/** Destroys the key of what was written, and the files. */
export const destroyApplicationTimer = "applications.destroy";
/** Mails a reminder that came due. */
export const reminderMessage = "applications.reminder-mail";

export const applications: StreamDefinition<
  ApplicationState,
  ApplicationCommand,
  ApplicationEvent,
  ApplicationRefusalCode
> = {
  events: applicationEvents,
  decider: applicationDecider,
  durableWith: "answer",
  reply: ({ status }) => ({ status }),
  timers: (state) => {
    if (state.status === "erased") return [{ name: destroyApplicationTimer, dueAt: state.at }];
    const dueAt = state.status === "held" ? nextDue(state.reminders) : null;
    return dueAt === null ? [] : [{ name: remindTimer, dueAt }];
  },
  effects: ({ id, events, state }) => ({
    messages: events.flatMap((event) => {
      if (event.type !== "ReminderCameDue" || state.status !== "held") return [];
      const { reminderId } = event.data;
      const reminder = state.reminders.get(reminderId);
      if (reminder?.byMail !== true) return [];
      const payload = { applicationId: id, reminderId, time: reminder.times };
      return [{ name: reminderMessage, payload }];
    }),
  }),
  erasure: { events: ["ApplicationErased"], timers: [] },
};

type Issued = CommandContext & {
  readonly sealed?: Sealed & { readonly type: ApplicationEvent["type"] };
};

/** Carries out a command on one application. */
export function commandApplication(
  { ledger }: Pick<LedgerContext, "ledger">,
  applicationId: string,
  command: ApplicationCommand,
  issued: Issued,
): Promise<CommandResult<ApplicationRefusalCode>> {
  // What is sent is not compared with a repetition: it may be written by the applicant.
  const body = { type: command.type, applicationId };
  return runCommand(ledger, applications, { id: applicationId, command, body, ...issued });
}
