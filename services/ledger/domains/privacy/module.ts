import { signingKey } from "@pro-talent/platform/crypto/signed-text";
import type { FileStore } from "@pro-talent/platform/files/file-store";
import { fileStoreEnv, openFileStore } from "@pro-talent/platform/files/open-file-store";
import type { Activity } from "@pro-talent/schemas/primitives/data-map";
import { z } from "zod";

import { type ContactOf, contactsOver } from "../../contacts.ts";
import type { AddressedPerson, ConsentSource, HeldSource } from "../../held.ts";
import type { CommandContext } from "../../kernel/commands.ts";
import type { Addressed, Eraser } from "../../kernel/erasers.ts";
import { defineModule, type LedgerContext, type WorkerContext } from "../../kernel/module.ts";
import { streamKind } from "../../kernel/stream-kinds.ts";
import type { TimerHandlers } from "../../kernel/timers.ts";
import { consentsHeld, mailboxConsentsHeld } from "./consents.ts";
import { agedHandler, completeAged, openHorizon } from "./erase/backups.ts";
import {
  claimHandler,
  eraseHandler,
  type ErasureParts,
  type ErasureScope,
  stepsFor,
} from "./erase/erase-person.ts";
import { journalEnv, openJournal } from "./erase/journal.ts";
import {
  accountEraser,
  analyticsEraser,
  closingContactsOver,
  closingOver,
  requestKeysEraser,
} from "./erase/stores.ts";
import { privacyTimerHandlers, recordCancellations } from "./follow-up.ts";
import { mailboxScope } from "./form/erase-mailbox.ts";
import { codeHandler } from "./form/form-mails.ts";
import { addFormCalls } from "./form/form-routes.ts";
import { accountOfOver, identifyHandler, type IdentifyParts } from "./form/verify.ts";
import { collectHandler } from "./fulfil/collect.ts";
import { correctHandler, type Profiles, profilesOver } from "./fulfil/correct.ts";
import { accountHeldOver, type HeldParts, mailboxHeldOver } from "./held.ts";
import { addHolderCalls } from "./holder-calls.ts";
import { addKeyCalls } from "./key-calls.ts";
import { lastMail, noticeHandler } from "./mails.ts";
import { addOfficerCalls } from "./officer-calls.ts";
import { privacyRequestRows } from "./read-models.ts";
import { privacyEvents, privacyRequests } from "./requests.ts";
import { workHandler } from "./work.ts";

/** What privacy requests reach of the other domains, which they may not import. */
export type PrivacyParts = {
  /** Of the domains' own stores. */
  readonly erasers: readonly Eraser[];
  /** Of those stores in which a person without an account is found by an address. */
  readonly mailboxErasers?: readonly Eraser<Addressed>[];
  /** What the domains hold; and of people without an account. */
  readonly held?: readonly HeldSource[];
  readonly mailboxHeld?: readonly HeldSource<AddressedPerson>[];
  /** What their holders agreed to in the domains; and people without an account. */
  readonly consents?: readonly ConsentSource[];
  readonly mailboxConsents?: readonly ConsentSource<Addressed>[];
  /** Records that an account is closed: nothing is charged or sent any more. */
  readonly closeAccount: (
    context: WorkerContext,
    accountId: string,
    why: CommandContext,
  ) => Promise<void>;
  /** These ask the accounts service when absent. */
  readonly contactOf?: ContactOf;
  readonly accountOf?: IdentifyParts["accountOf"];
  readonly accountHeld?: HeldParts["accountHeld"];
  readonly profiles?: Profiles;
  /** The one of the environment when absent. */
  readonly files?: FileStore;
  /** What personal data is used for, as the record of processing activities has it. */
  readonly activities?: readonly Activity[];
  readonly mailboxActivities?: readonly Activity[];
};

/** The key of the signatures of packages, from the ledger's secret. */
const signingLabel = "privacy documents";

const environment = {
  ...journalEnv,
  ...fileStoreEnv,
  /** Base address of the collector, which erases what ClickHouse holds. */
  COLLECTOR_URL: z.url().default("http://localhost:4100"),
};
type Env = z.output<z.ZodObject<typeof environment>>;

/** Privacy requests. */
export function privacyModule(parts: PrivacyParts) {
  return defineModule({
    name: "privacy",
    environment,
    events: [privacyEvents],
    streams: [streamKind(privacyRequests)],
    readModels: [privacyRequestRows],
    processes: [recordCancellations],
    routes: async (scope, context, env) => {
      const serving = {
        ...readingOver(parts, context),
        context,
        files: filesIn(parts, env),
        signingKey: signingKey(context.deriveKey(signingLabel)),
      };
      await scope.register((holders) => addHolderCalls(holders, serving));
      await scope.register((officers) => addOfficerCalls(officers, serving));
      await scope.register((forms) => addFormCalls(forms, serving));
      await scope.register((anyone) =>
        addKeyCalls(anyone, context, context.deriveKeys(signingLabel)),
      );
    },
    messages: (context) => codeHandler(context),
    timers: (context, env) => ({
      ...privacyTimerHandlers(context, filesIn(parts, env)),
      "privacy.backups": agedHandler(context, openHorizon(env)),
    }),
    slowTimers: (context, env) => slowTimersOf(parts, context, env),
    repeats: (context, env) => [
      {
        what: "backups of what was erased",
        everyMs: 60 * 60_000,
        run: completeAged(context, openHorizon(env)),
      },
    ],
  });
}

const filesIn = ({ files }: PrivacyParts, env: Env): FileStore => files ?? openFileStore(env);

function readingOver(parts: PrivacyParts, context: LedgerContext) {
  const { accounts } = context;
  const { consents = [], mailboxConsents = [], held = [], mailboxHeld = [] } = parts;
  const mailboxSources = [...mailboxHeld, mailboxConsentsHeld(mailboxConsents)];
  return {
    sources: [...held, consentsHeld(consents)],
    mailboxSources,
    consents,
    mailboxConsents,
    contactOf: parts.contactOf ?? contactsOver(accounts),
    accountOf: parts.accountOf ?? accountOfOver(accounts),
    heldAbout: mailboxHeldOver(context, mailboxSources),
    accountHeld: parts.accountHeld ?? accountHeldOver(accounts),
    profiles: parts.profiles ?? profilesOver(accounts),
  };
}

/** Work that asks other services, or sends mail. */
function slowTimersOf(parts: PrivacyParts, context: WorkerContext, env: Env): TimerHandlers {
  const { profiles, ...reading } = readingOver(parts, context);
  const erasing = erasureParts(parts, context, env);
  const collecting = {
    ...reading,
    context,
    files: filesIn(parts, env),
    activities: parts.activities ?? [],
    mailboxActivities: parts.mailboxActivities ?? [],
    signingKey: signingKey(context.deriveKey(signingLabel)),
  };
  return {
    "privacy.erase": claimHandler(erasing),
    "privacy.identify": identifyHandler(context, reading),
    "privacy.notice": noticeHandler(context, reading.contactOf),
    "privacy.work": workHandler(context, {
      collecting: collectHandler(collecting),
      applying: correctHandler(context, profiles),
      claimed: eraseHandler(erasing),
      erasing: eraseHandler(erasing),
    }),
  };
}

function erasureParts(parts: PrivacyParts, context: WorkerContext, env: Env): ErasureParts {
  const { mailboxErasers = [] } = parts;
  const ofMailbox = { context, mailboxErasers, files: filesIn(parts, env) };
  return {
    context,
    journal: openJournal(env),
    scopeOf: (requestId, accountId) =>
      accountId === null
        ? mailboxScope(ofMailbox, requestId)
        : accountScope(parts, context, { accountId, collectorUrl: env.COLLECTOR_URL }),
  };
}

/** What the deletion of an account erases. */
function accountScope(
  { contactOf: given, erasers, closeAccount }: PrivacyParts,
  context: WorkerContext,
  { accountId, collectorUrl }: { readonly accountId: string; readonly collectorUrl: string },
): ErasureScope {
  const { accounts } = context;
  const collector = { url: collectorUrl, internalToken: accounts.internalToken };
  const contactOf = given ?? closingContactsOver(accounts);
  const close = closingOver(accounts);
  const person = async () => ({ accountId, email: (await contactOf(accountId))?.email ?? null });
  const all = [
    lastMail(contactOf),
    ...erasers,
    analyticsEraser(collector),
    accountEraser(accounts),
    requestKeysEraser,
  ];
  return {
    accountId,
    steps: stepsFor(context, all, person),
    close: async (why) => {
      await close(await person());
      await closeAccount(context, accountId, why);
    },
  };
}
