import type { ServiceAddress } from "@pro-talent/platform/http/service-client";
import { z } from "zod";

import { type ContactOf, contactsOver } from "../../contacts.ts";
import type { HeldSource } from "../../held.ts";
import type { CommandContext } from "../../kernel/commands.ts";
import type { Eraser } from "../../kernel/erasers.ts";
import { defineModule, type WorkerContext } from "../../kernel/module.ts";
import { streamKind } from "../../kernel/stream-kinds.ts";
import { agedHandler, completeAged, openHorizon } from "./erase/backups.ts";
import { claimHandler, eraseHandler, type ErasureParts } from "./erase/erase-account.ts";
import { journalEnv, openJournal } from "./erase/journal.ts";
import {
  accountEraser,
  analyticsEraser,
  closingContactsOver,
  closingOver,
  requestKeysEraser,
} from "./erase/stores.ts";
import { privacyTimerHandlers, recordCancellations } from "./follow-up.ts";
import { accountHeldOver, type HeldParts } from "./held.ts";
import { addHolderCalls } from "./holder-calls.ts";
import { deletionMailHandlers, lastMail } from "./mails.ts";
import { privacyRequestRows } from "./read-models.ts";
import { privacyEvents, privacyRequests } from "./requests.ts";

/** What privacy requests reach of the other domains, which they may not import. */
export type PrivacyParts = {
  /** Of the domains' own stores. */
  readonly erasers: readonly Eraser[];
  /** What the domains hold. */
  readonly held?: readonly HeldSource[];
  /** Records that an account is closed: nothing is charged or sent any more. */
  readonly closeAccount: (
    context: WorkerContext,
    accountId: string,
    why: CommandContext,
  ) => Promise<void>;
  /** Both ask the accounts service when absent. */
  readonly contactOf?: ContactOf;
  readonly accountHeld?: HeldParts["accountHeld"];
};

/** Privacy requests. */
export function privacyModule({ erasers: own, held = [], closeAccount, ...parts }: PrivacyParts) {
  const erasersFor = (accounts: ServiceAddress, collector: ServiceAddress): readonly Eraser[] => [
    lastMail(parts.contactOf ?? closingContactsOver(accounts)),
    ...own,
    analyticsEraser(collector),
    accountEraser(accounts),
    requestKeysEraser,
  ];
  return defineModule({
    name: "privacy",
    environment: {
      ...journalEnv,
      /** Base address of the collector, which erases what ClickHouse holds. */
      COLLECTOR_URL: z.url().default("http://localhost:4100"),
    },
    events: [privacyEvents],
    streams: [streamKind(privacyRequests)],
    readModels: [privacyRequestRows],
    processes: [recordCancellations],
    routes: (scope, context) =>
      addHolderCalls(scope, {
        context,
        sources: held,
        contactOf: parts.contactOf ?? contactsOver(context.accounts),
        accountHeld: parts.accountHeld ?? accountHeldOver(context.accounts),
      }),
    messages: (context) =>
      deletionMailHandlers(context, parts.contactOf ?? contactsOver(context.accounts)),
    timers: (context, env) => ({
      ...privacyTimerHandlers(context),
      "privacy.backups": agedHandler(context, openHorizon(env)),
    }),
    slowTimers: (context, env) => {
      const { accounts } = context;
      const collector = { url: env.COLLECTOR_URL, internalToken: accounts.internalToken };
      const close = closingOver(accounts);
      const work: ErasureParts = {
        context,
        journal: openJournal(env),
        erasers: erasersFor(accounts, collector),
        personOf: async (accountId) => {
          const contact = await (parts.contactOf ?? closingContactsOver(accounts))(accountId);
          return { accountId, email: contact?.email ?? null };
        },
        close: async (person, why) => {
          await close(person);
          await closeAccount(context, person.accountId, why);
        },
      };
      return { "privacy.erase": claimHandler(work), "privacy.work": eraseHandler(work) };
    },
    repeats: (context, env) => [
      {
        what: "backups of what was erased",
        everyMs: 60 * 60_000,
        run: completeAged(context, openHorizon(env)),
      },
    ],
  });
}
