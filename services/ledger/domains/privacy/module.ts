import { queueUrl } from "@pro-talent/platform/config/define-env";
import { signingKey } from "@pro-talent/platform/crypto/signed-text";
import type { FileStore } from "@pro-talent/platform/files/file-store";
import { fileStoreEnv, openFileStore } from "@pro-talent/platform/files/open-file-store";
import type { ServiceAddress } from "@pro-talent/platform/http/service-client";
import type { Activity } from "@pro-talent/schemas/primitives/data-map";
import type { ErasureCertificate } from "@pro-talent/schemas/privacy/evidence";
import { z } from "zod";

import { type AccountOf, accountOfOver, type ContactOf, contactsOver } from "../../contacts.ts";
import { type CvsOver, studioEnv } from "../../cvs.ts";
import type { AddressedPerson, ConsentSource, HeldSource, RecipientSource } from "../../held.ts";
import { insightsEnv } from "../../insights.ts";
import type { CommandContext } from "../../kernel/commands.ts";
import type { Addressed, Eraser } from "../../kernel/erasers.ts";
import { defineModule, type LedgerContext, type WorkerContext } from "../../kernel/module.ts";
import { streamKind } from "../../kernel/stream-kinds.ts";
import type { TimerHandlers } from "../../kernel/timers.ts";
import { addCalendarFeed, calendarFeeds, feedEvents } from "./calendar/calendar-feed.ts";
import { consentsHeld, mailboxConsentsHeld } from "./consents.ts";
import { addCopyReviewCalls } from "./copy-review-calls.ts";
import { accountScope } from "./erase/account-scope.ts";
import { agedHandler, completeAged, openHorizon } from "./erase/backups.ts";
import {
  claimHandler,
  eraseHandler,
  type ErasureParts,
  type IsUsedAgain,
} from "./erase/erase-person.ts";
import { journalEnv, openJournal } from "./erase/journal.ts";
import { reapplyJournal } from "./erase/reapply.ts";
import { rescanHandler, rescanRestored, type SearchParts } from "./erase/scan.ts";
import { addEvidenceCalls } from "./evidence/routes.ts";
import {
  cancelInactive,
  privacyTimerHandlers,
  receiveInactive,
  recordCancellations,
} from "./follow-up.ts";
import { mailboxScope } from "./form/erase-mailbox.ts";
import { codeHandler } from "./form/form-mails.ts";
import { addFormCalls } from "./form/form-routes.ts";
import { identifyHandler } from "./form/verify.ts";
import { collectHandler, type CollectParts } from "./fulfil/collect.ts";
import { correctHandler, type Profiles, profilesOver } from "./fulfil/correct.ts";
import { accountFilesOver, accountHeldOver, type HeldParts, mailboxHeldOver } from "./held.ts";
import { addHolderCalls } from "./holder-calls.ts";
import { addKeyCalls } from "./key-calls.ts";
import { addLookupCalls, lookupEvents } from "./lookup.ts";
import { noticeHandler } from "./mails.ts";
import { addOfficerCalls } from "./officer-calls.ts";
import { type OfficersOf, officersOver } from "./officer-mails.ts";
import { addOverviewCalls } from "./overview-routes.ts";
import { privacyRequestRows } from "./read-models.ts";
import { recipientsHeld } from "./recipients.ts";
import { privacyEvents, privacyRequests } from "./requests.ts";
import { searchOfStores } from "./search/search-stores.ts";
import { searchEvents, searches } from "./search/searches.ts";
import { workHandler } from "./work.ts";

/** What privacy requests reach of the other domains, which they may not import. */
export type PrivacyParts = {
  /** Of the domains' own stores. */
  readonly erasers: readonly Eraser[];
  /** Of those stores in which a person without an account is found by an address. */
  readonly mailboxErasers?: readonly Eraser<Addressed>[];
  /** Sections whose texts others may have written: a copy of them is reviewed before it is sealed. */
  readonly byOthers?: readonly string[];
  /** What the domains hold; and of people without an account. */
  readonly held?: readonly HeldSource[];
  readonly mailboxHeld?: readonly HeldSource<AddressedPerson>[];
  /** Opens of links, which the insights service knows. */
  readonly opensOver?: (insights: ServiceAddress) => HeldSource;
  /** CVs, which the studio holds. */
  readonly cvsOver?: CvsOver;
  /** What their holders agreed to in the domains; and people without an account. */
  readonly consents?: readonly ConsentSource[];
  readonly mailboxConsents?: readonly ConsentSource<Addressed>[];
  /** Records that an account is closed: nothing is charged or sent any more. */
  readonly closeAccount: (
    context: WorkerContext,
    accountId: string,
    why: CommandContext,
  ) => Promise<void>;
  /** Recipients of data outside the platform, as the domains know them. */
  readonly recipients?: readonly RecipientSource[];
  readonly isUsedAgain?: IsUsedAgain;
  /** These ask the accounts service when absent. */
  readonly contactOf?: ContactOf;
  readonly officersOf?: OfficersOf;
  readonly accountHeld?: HeldParts["accountHeld"];
  readonly accountFiles?: CollectParts["accountFiles"];
  readonly profiles?: Profiles;
  readonly accountOf?: AccountOf;
  /** The one of the environment when absent. */
  readonly files?: FileStore;
  /** Tables of the ledger in which ids of an erased person stay. */
  readonly keepsIds?: ReadonlySet<string>;
  /** Searches every store of the product, unless the environment says where they are. */
  readonly search?: SearchParts["search"];
  /** What personal data is used for, as the record of processing activities has it. */
  readonly activities?: readonly Activity[];
  readonly mailboxActivities?: readonly Activity[];
  /** SHA-256 of that record. */
  readonly register?: string;
  /** What a law demands to be kept of who is erased. */
  readonly keptByLaw?: ErasureCertificate["kept"];
};

/** The key of the signatures of packages, from the ledger's secret. */
const signingLabel = "privacy documents";

const environment = {
  ...journalEnv,
  ...fileStoreEnv,
  ...studioEnv,
  /** Signed heads of the ledger, which evidence leads to. */
  LEDGER_HEADS_FILE: z.string().optional(),
  /** Base address of the collector, which erases what ClickHouse holds. */
  COLLECTOR_URL: z.url().default("http://localhost:4100"),
  /** Of the worker; searched after an erasure. */
  QUEUE_URL: queueUrl.optional(),
  /** Where logs of the services are kept as files, if they are; searched after an erasure. */
  LOGS_DIR: z.string().min(1).optional(),
  ...insightsEnv,
};
type Env = z.output<z.ZodObject<typeof environment>>;

/** Privacy requests. */
export function privacyModule(parts: PrivacyParts) {
  return defineModule({
    name: "privacy",
    environment,
    events: [privacyEvents, searchEvents, lookupEvents, feedEvents],
    streams: [streamKind(privacyRequests), streamKind(searches)],
    readModels: [privacyRequestRows, calendarFeeds],
    processes: [recordCancellations, receiveInactive, cancelInactive],
    routes: async (scope, context, env) => {
      const serving = {
        ...readingOver(parts, context, env),
        context,
        files: filesIn(parts, env),
        register: parts.register,
        byOthers: parts.byOthers ?? [],
        signingKey: signingKey(context.deriveKey(signingLabel)),
      };
      await scope.register((holders) => addHolderCalls(holders, serving));
      await scope.register((officers) => addOfficerCalls(officers, serving));
      await scope.register((officers) => addCopyReviewCalls(officers, serving));
      await scope.register((forms) => addFormCalls(forms, serving));
      await scope.register((officers) => addOverviewCalls(officers, context));
      await scope.register((officers) => addLookupCalls(officers, serving));
      const officersOf = parts.officersOf ?? officersOver(context.accounts);
      await scope.register((officers) => addCalendarFeed(officers, { context, officersOf }));
      await scope.register((anyone) =>
        addEvidenceCalls(anyone, { ...serving, ...proofsOf(parts, env) }),
      );
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
      {
        what: "scans after a restore",
        everyMs: 60 * 60_000,
        run: rescanRestored(searchParts(parts, context, env)),
      },
      {
        what: "erasures that a restored backup does not know",
        everyMs: 60 * 60_000,
        run: reapplyJournal(erasureParts(parts, context, env)),
      },
    ],
  });
}

const filesIn = ({ files }: PrivacyParts, env: Env): FileStore => files ?? openFileStore(env);

const proofsOf = ({ register, keptByLaw }: PrivacyParts, env: Env) => ({
  proofs: { heads: env.LEDGER_HEADS_FILE || undefined, journal: env.ERASURE_JOURNAL_FILE },
  register: register ?? null,
  kept: keptByLaw ?? [],
});

function readingOver(parts: PrivacyParts, context: LedgerContext, env: Env) {
  const { accounts } = context;
  const { consents = [], mailboxConsents = [], held = [], mailboxHeld = [], opensOver } = parts;
  const insights = { url: env.INSIGHTS_URL, internalToken: accounts.internalToken };
  const opens = opensOver === undefined ? [] : [opensOver(insights)];
  const cvs = parts.cvsOver?.(studioOf(context, env)).held;
  const mailboxSources = [...mailboxHeld, mailboxConsentsHeld(mailboxConsents)];
  return {
    sources: [
      ...held,
      ...(cvs === undefined ? [] : [cvs]),
      ...opens,
      consentsHeld(consents),
      recipientsHeld(parts.recipients ?? []),
    ],
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
  const { profiles, ...reading } = readingOver(parts, context, env);
  const erasing = erasureParts(parts, context, env);
  const collecting = {
    ...reading,
    context,
    files: filesIn(parts, env),
    accountFiles: parts.accountFiles ?? accountFilesOver(context.accounts),
    activities: parts.activities ?? [],
    mailboxActivities: parts.mailboxActivities ?? [],
    signingKey: signingKey(context.deriveKey(signingLabel)),
  };
  return {
    "privacy.erase": claimHandler(erasing),
    "privacy.identify": identifyHandler(context, reading),
    "privacy.rescan": rescanHandler(erasing),
    "privacy.notice": noticeHandler(context, {
      contactOf: reading.contactOf,
      officersOf: parts.officersOf ?? officersOver(context.accounts),
    }),
    "privacy.work": workHandler(context, {
      collecting: collectHandler(collecting),
      applying: correctHandler(context, profiles, parts.recipients ?? []),
      claimed: eraseHandler(erasing),
      erasing: eraseHandler(erasing),
    }),
  };
}

function searchParts(parts: PrivacyParts, context: WorkerContext, env: Env): SearchParts {
  const { accounts, ledger } = context;
  const stores = {
    sql: ledger.sql,
    keepsIds: parts.keepsIds ?? new Set<string>(),
    accounts,
    collector: collectorOf(context, env),
    studio: parts.cvsOver && studioOf(context, env),
    files: parts.files ?? (env.FILES_URL === undefined ? undefined : openFileStore(env)),
    queueUrl: env.QUEUE_URL,
    logsDirectory: env.LOGS_DIR,
  };
  return { context, journal: openJournal(env), search: parts.search ?? searchOfStores(stores) };
}

const studioOf = ({ accounts: { internalToken } }: LedgerContext, { STUDIO_URL }: Env) => ({
  url: STUDIO_URL,
  internalToken,
});

const collectorOf = ({ accounts: { internalToken } }: WorkerContext, { COLLECTOR_URL }: Env) => ({
  url: COLLECTOR_URL,
  internalToken,
});

function erasureParts(parts: PrivacyParts, context: WorkerContext, env: Env): ErasureParts {
  const { mailboxErasers = [], contactOf, closeAccount, register } = parts;
  const cvs = parts.cvsOver?.(studioOf(context, env)).eraser;
  const erasers = [...parts.erasers, ...(cvs === undefined ? [] : [cvs])];
  const files = filesIn(parts, env);
  const collector = collectorOf(context, env);
  const searching = searchParts(parts, context, env);
  const { journal } = searching;
  const ofAccount = { erasers, contactOf, closeAccount, files, collector, journal };
  return {
    ...searching,
    register,
    scopeOf: (requestId, accountId) =>
      accountId === null
        ? mailboxScope({ context, mailboxErasers, files, journal }, requestId)
        : accountScope(context, ofAccount, { requestId, accountId }),
    isUsedAgain: parts.isUsedAgain,
  };
}
