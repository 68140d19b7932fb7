import { randomUUID } from "node:crypto";

import { createThrottle } from "@pro-talent/platform/runtime/wait";
import { z } from "zod";

import {
  type AccountOf,
  accountOfOver,
  type ContactOf,
  contactsOver,
  type SubscriberContacts,
} from "../../contacts.ts";
import { defineModule, type WorkerContext } from "../../kernel/module.ts";
import { streamKind } from "../../kernel/stream-kinds.ts";
import {
  announcedChanges,
  changeEvents,
  changeNotices,
  changes,
  noticeEvents,
  notices,
  noticeTimer,
} from "./changes.ts";
import { noticeHandler, recordNoticeReturn, requireNotices } from "./notify.ts";
import { holdersFrom, type RecipientEvents, subscribersFrom } from "./recipients.ts";
import { addLegalChangeRoutes } from "./routes.ts";

/** What the domain reaches of others, which it may not import. */
export type LegalChangesParts = {
  readonly events: RecipientEvents;
  readonly subscribers: (context: WorkerContext) => SubscriberContacts;
  /** These ask the accounts service when absent. */
  readonly contactOf?: ContactOf;
  readonly accountOf?: AccountOf;
};

const everyMs = 5 * 60_000;

/** Material changes of terms and policy: each recipient gets notice before they take effect for them. */
export function legalChangesModule(parts: LegalChangesParts) {
  const { events, subscribers, contactOf, accountOf } = parts;
  const notifying = (context: WorkerContext, perSecond: number) => ({
    context,
    events,
    subscribers: subscribers(context),
    contactOf: contactOf ?? contactsOver(context.accounts),
    accountOf: accountOf ?? accountOfOver(context.accounts),
    throttle: createThrottle(perSecond),
  });
  return defineModule({
    name: "legal-changes",
    environment: {
      /** Notices of changed terms that one worker sends in a second. */
      LEGAL_NOTICES_PER_SECOND: z.coerce.number().positive().default(20),
    },
    events: [changeEvents, noticeEvents],
    streams: [streamKind(changes), streamKind(notices)],
    readModels: [
      announcedChanges,
      changeNotices,
      holdersFrom(events.account),
      subscribersFrom(events.subscriber),
    ],
    routes: addLegalChangeRoutes,
    mailReturns: recordNoticeReturn,
    slowTimers: (context, env) => ({
      [noticeTimer]: noticeHandler(notifying(context, env.LEGAL_NOTICES_PER_SECOND)),
    }),
    repeats: (context, env) => {
      const work = notifying(context, env.LEGAL_NOTICES_PER_SECOND);
      const cause = () => ({
        actor: "service:ledger",
        causationId: randomUUID(),
        correlationId: randomUUID(),
      });
      const what = "notices of changed terms";
      return [{ what, everyMs, run: () => requireNotices(work, cause) }];
    },
  });
}
