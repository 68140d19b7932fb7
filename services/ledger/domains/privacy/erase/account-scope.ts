import type { FileStore } from "@pro-talent/platform/files/file-store";

import type { ContactOf } from "../../../contacts.ts";
import type { CommandContext } from "../../../kernel/commands.ts";
import type { Eraser } from "../../../kernel/erasers.ts";
import type { WorkerContext } from "../../../kernel/module.ts";
import { lastMail } from "../mails.ts";
import { type ErasureScope, stepsFor } from "./erase-person.ts";
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
  readonly collectorUrl: string;
};

/** What the deletion of an account erases. */
export function accountScope(
  context: WorkerContext,
  { contactOf: given, erasers, closeAccount, files, collectorUrl }: Parts,
  accountId: string,
): ErasureScope {
  const { accounts } = context;
  const collector = { url: collectorUrl, internalToken: accounts.internalToken };
  const contactOf = given ?? closingContactsOver(accounts);
  const close = closingOver(accounts);
  const person = async () => ({ accountId, email: (await contactOf(accountId))?.email ?? null });
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
    steps: stepsFor(context, all, person),
    close: async (why) => {
      await close(await person());
      await closeAccount(context, accountId, why);
    },
  };
}
