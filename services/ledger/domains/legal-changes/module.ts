import { randomUUID } from "node:crypto";

import type { AccountEvent } from "@pro-talent/schemas/accounts/events";

import { type ContactOf, contactsOver } from "../../contacts.ts";
import type { EventFamily } from "../../kernel/events.ts";
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
import { holdersFrom } from "./holders.ts";
import { noticeHandler, recordNoticeReturn, requireNotices } from "./notify.ts";

/** What the domain reaches of others, which it may not import. */
export type LegalChangesParts = {
  readonly accountEvents: EventFamily<AccountEvent>;
  /** Asks the accounts service when absent. */
  readonly contactOf?: ContactOf;
};

const everyMs = 5 * 60_000;

/** Material changes of terms and policy: each account gets notice before they take effect for it. */
export function legalChangesModule({ accountEvents, contactOf }: LegalChangesParts) {
  const notifying = (context: WorkerContext) => ({
    context,
    accountEvents,
    contactOf: contactOf ?? contactsOver(context.accounts),
  });
  return defineModule({
    name: "legal-changes",
    events: [changeEvents, noticeEvents],
    streams: [streamKind(changes), streamKind(notices)],
    readModels: [announcedChanges, changeNotices, holdersFrom(accountEvents)],
    mailReturns: recordNoticeReturn,
    slowTimers: (context) => ({ [noticeTimer]: noticeHandler(notifying(context)) }),
    repeats: (context) => [
      {
        what: "notices of changed terms",
        everyMs,
        run: () =>
          requireNotices(notifying(context), () => ({
            actor: "service:ledger",
            causationId: randomUUID(),
            correlationId: randomUUID(),
          })),
      },
    ],
  });
}
