import type { FileStore } from "@pro-talent/platform/files/file-store";
import type { SignedLog } from "@pro-talent/platform/files/signed-log";
import { callService, type ServiceAddress } from "@pro-talent/platform/http/service-client";
import { internalSearchCalls } from "@pro-talent/schemas/accounts/internal-calls";
import type { Traces } from "@pro-talent/schemas/primitives/traces";
import type { JournalledErasure } from "@pro-talent/schemas/privacy/erasure-journal";

import type { ContactOf } from "../../../contacts.ts";
import type { CommandContext } from "../../../kernel/commands.ts";
import type { Eraser } from "../../../kernel/erasers.ts";
import type { WorkerContext } from "../../../kernel/module.ts";
import { lastMail } from "../mails.ts";
import { preparedSearch } from "../search/searches.ts";
import { type ErasureScope, stepsFor } from "./erase-person.ts";
import { journalledSubjects } from "./journal.ts";
import {
  accountEraser,
  analyticsEraser,
  closingContactsOver,
  closingOver,
  requestKeysEraser,
  requestsEraser,
} from "./stores.ts";

type Parts = {
  /** Of the domains' own stores. */
  readonly erasers: readonly Eraser[];
  /** Asks the accounts service when absent. */
  readonly contactOf: ContactOf | undefined;
  /** Records that an account is closed: nothing is charged or sent any more. */
  readonly closeAccount: (
    context: WorkerContext,
    accountId: string,
    why: CommandContext,
  ) => Promise<void>;
  readonly files: FileStore;
  readonly collector: ServiceAddress;
  readonly journal: SignedLog<JournalledErasure> | undefined;
};

/** What the accounts service knows that names its holder alone. */
const tracesOver =
  (accounts: ServiceAddress) =>
  (accountId: string): Promise<Traces> =>
    callService(accounts, internalSearchCalls)("GET /internal/accounts/:accountId/traces", {
      params: { accountId },
    });

/** What the deletion of an account erases. */
export function accountScope(
  context: WorkerContext,
  { contactOf: given, erasers, closeAccount, files, collector, journal }: Parts,
  { requestId, accountId }: { readonly requestId: string; readonly accountId: string },
): ErasureScope {
  const { accounts } = context;
  const contactOf = given ?? closingContactsOver(accounts);
  const close = closingOver(accounts);
  // Once the account is erased the address is known from what is searched for, until that is destroyed.
  const email = async (): Promise<string | null> =>
    (await contactOf(accountId))?.email ??
    (await preparedSearch(context, requestId))?.email ??
    null;
  const person = async () => {
    const address = await email();
    const subjectIds = address === null ? await journalledSubjects(journal, requestId) : [];
    return { accountId, email: address, subjectIds };
  };
  const all = [
    lastMail(contactOf),
    requestsEraser(files),
    ...erasers,
    analyticsEraser(collector),
    accountEraser(accounts),
    requestKeysEraser,
  ];
  return {
    accountId,
    email,
    traces: () => tracesOver(accounts)(accountId),
    steps: stepsFor(context, all, person),
    close: async (why) => {
      await close(await person());
      await closeAccount(context, accountId, why);
    },
  };
}
