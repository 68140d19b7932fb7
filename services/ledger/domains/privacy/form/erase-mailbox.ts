import type { FileStore } from "@pro-talent/platform/files/file-store";
import type { SignedLog } from "@pro-talent/platform/files/signed-log";
import type { JournalledErasure } from "@pro-talent/schemas/privacy/erasure-journal";
import { keyStep } from "@pro-talent/schemas/privacy/events";

import { type CommandContext, runCommand } from "../../../kernel/commands.ts";
import type { Addressed, Eraser } from "../../../kernel/erasers.ts";
import type { WorkerContext } from "../../../kernel/module.ts";
import { requester } from "../../../restriction.ts";
import type { PrivacyCommand } from "../decider.ts";
import { type ErasureScope, stepsFor } from "../erase/erase-person.ts";
import { journalledSubjects } from "../erase/journal.ts";
import { removePackages } from "../fulfil/access-package.ts";
import type { Recordable } from "../guards.decider.ts";
import { findRequest, requestsNamed } from "../read-models.ts";
import { privacyRequests } from "../requests.ts";
import { endSearch, preparedSearch } from "../search/searches.ts";
import { formMail } from "./form-mails.ts";
import { mailboxOf, senderOf } from "./sender.ts";

type Parts = {
  readonly context: WorkerContext;
  /** Of the domains' stores, by an address alone. */
  readonly mailboxErasers: readonly Eraser<Addressed>[];
  readonly files: FileStore;
  readonly journal: SignedLog<JournalledErasure> | undefined;
};

/**
 * What a deletion without an account erases: everything that is found by the address. The keyed hash on the
 * do-not-mail list stays: it is kept so that no further mail is sent, which its holder asked for.
 */
export function mailboxScope(
  { context, mailboxErasers, files, journal }: Parts,
  requestId: string,
): ErasureScope {
  const email = async (): Promise<string | null> => {
    const sender = await senderOf(context, requestId);
    if (sender !== undefined) return mailboxOf(sender);
    return (await preparedSearch(context, requestId))?.email ?? null;
  };
  const person = async (): Promise<Addressed> => {
    const address = await email();
    const subjectIds = address === null ? await journalledSubjects(journal, requestId) : [];
    return { email: address, subjectIds };
  };
  const erasers = [lastFormMail(requestId), ...mailboxErasers, formKeysEraser(requestId, files)];
  return {
    accountId: null,
    email,
    traces: async () => ({}),
    steps: stepsFor(context, erasers, person),
    // There is no sign-in to end; what the mailbox sends from now on is a new contact.
    close: async () => undefined,
  };
}

/** While the address is still known. A mail that cannot be sent now stops no erasure. */
const lastFormMail = (requestId: string): Eraser<Addressed> => ({
  step: "notice",
  erase: async (context) => {
    const sender = await senderOf(context, requestId);
    const request = await findRequest(context.ledger.sql, requestId);
    if (sender === undefined || request === undefined) return { found: 0, left: 0 };
    const sent = await context.mailer.send(formMail(context, "begun", { request, sender })).then(
      () => 1,
      () => 0,
    );
    return { found: sent, left: 0 };
  },
});

/** The last step: the keys of this form and of others of the address, which end with it. */
const formKeysEraser = (requestId: string, files: FileStore): Eraser<Addressed> => {
  /** Those whose contents are still there. */
  const others = async (
    { ledger, subjects }: WorkerContext,
    { email, subjectIds = [] }: Addressed,
  ) => {
    const ids = email === null ? [] : await subjects.idsOfAddress(requester, email);
    const rows = await requestsNamed(ledger.sql, [...ids, ...subjectIds]);
    // Those of an account are erased with it.
    return rows.filter((row) => row.accountId === null && row.requestId !== requestId);
  };
  return {
    step: keyStep,
    subjectsOf: async (context, person) =>
      (await others(context, person)).map((row) => row.requestId),
    erase: async (context, person, why) => {
      const found = await others(context, person);
      for (const other of found) {
        await end(context, other.requestId, why);
        await removePackages(files, other.requestId);
      }
      await context.subjects.shred(requestId);
      await endSearch(context, requestId, why);
      return { found: found.length + 1, left: 0 };
    },
  };
};

async function end({ ledger, subjects }: WorkerContext, id: string, why: CommandContext) {
  const fact: Recordable = { type: "RequestEndedByErasure", data: {} };
  const command: PrivacyCommand = { type: "Record", fact };
  await runCommand(ledger, privacyRequests, { ...why, id, command, body: command });
  await subjects.shred(id);
}
