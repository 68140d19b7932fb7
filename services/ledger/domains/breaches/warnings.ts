import type { Mail } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";
import { noticeHours } from "@pro-talent/schemas/breaches/kinds";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import { runCommand } from "../../kernel/commands.ts";
import type { WorkerContext } from "../../kernel/module.ts";
import { loadState } from "../../kernel/streams.ts";
import type { TimerHandler, TimerHandlers } from "../../kernel/timers.ts";
import { breaches, deadlineTimer, hoursDue, notifyBy, warnTimer } from "./breaches.ts";

/**
 * Mails the officers while the authority is not settled: the end of the 72 hours is a duty, so that a mail
 * that cannot be sent is tried again by its timer.
 */
export function warningHandlers(context: WorkerContext, officersAddress: string): TimerHandlers {
  const warns =
    (timer: string): TimerHandler =>
    async (id, why) => {
      const { state } = await loadState(context.ledger.sql, breaches, id);
      const hours = hoursDue(state)[timer];
      if (state.status !== "open" || hours === undefined) return;
      const about = { id, hours, discoveredAt: state.discoveredAt, origin: context.publicOrigin };
      await context.mailer.send(warningMail(about, officersAddress));
      const command = { type: "RecordWarning", hours } as const;
      await runCommand(context.ledger, breaches, { ...why, id, command, body: command });
    };
  return { [warnTimer]: warns(warnTimer), [deadlineTimer]: warns(deadlineTimer) };
}

type About = {
  readonly id: string;
  readonly hours: number;
  readonly discoveredAt: Instant;
  readonly origin: string;
};

/** Nothing that is written about the breach is mailed. The same warning is the same mail. */
function warningMail({ id, hours, discoveredAt, origin }: About, officers: string): Mail {
  const format = new Intl.DateTimeFormat("en", {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "Asia/Jerusalem",
  });
  const left = noticeHours - hours;
  const number = id.slice(0, 8);
  const title =
    left > 0
      ? `Breach ${number}: ${left} hours to notify the authority`
      : `Breach ${number}: the notice to the authority is overdue`;
  const explanation =
    left > 0
      ? "A breach of personal data is in the register, and it is not settled whether the authority is notified."
      : "72 hours have passed since the discovery. A later notice must give the reasons for the delay.";
  return {
    id: `breach-${id}-${hours}`,
    to: { address: officers },
    subject: title,
    language: "en",
    automatic: true,
    ...renderMail({
      language: "en",
      title,
      preheader: explanation,
      blocks: [
        { kind: "paragraph", text: explanation },
        {
          kind: "facts",
          facts: [
            { term: "Discovered", value: format.format(Date.parse(discoveredAt)) },
            { term: "Notice due", value: format.format(Date.parse(notifyBy(discoveredAt))) },
          ],
        },
        {
          kind: "action",
          label: "Open the breach",
          url: `${origin}/console/privacy/breaches/${id}`,
        },
      ],
      footer: [],
    }),
  };
}
