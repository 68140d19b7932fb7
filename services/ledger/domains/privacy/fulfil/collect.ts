import type { SigningKey } from "@pro-talent/platform/crypto/signed-text";
import type { FileStore } from "@pro-talent/platform/files/file-store";
import type { Activity } from "@pro-talent/schemas/primitives/data-map";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { type HeldSection, itemsIn } from "@pro-talent/schemas/privacy/held-data";

import type { ConsentSource, HeldFile, HeldPerson, HeldTable } from "../../../held.ts";
import type { Addressed } from "../../../kernel/erasers.ts";
import type { WorkerContext } from "../../../kernel/module.ts";
import { loadState } from "../../../kernel/streams.ts";
import type { TimerHandler } from "../../../kernel/timers.ts";
import { consentsOf, receiptOf } from "../consents.ts";
import { mailboxOf, senderOf } from "../form/sender.ts";
import {
  type Held,
  heldAbout,
  heldAboutMailbox,
  type HeldParts,
  mailboxSectionsOf,
  sectionsOf,
} from "../held.ts";
import { privacyRequests } from "../requests.ts";
import { recordWork } from "../work.ts";
import { storePackage } from "./access-package.ts";
import { buildPackage } from "./build-package.ts";

/** What a package is made with. */
export type CollectParts = HeldParts & {
  readonly context: WorkerContext;
  readonly files: FileStore;
  /** Of the accounts service. */
  readonly accountFiles: (accountId: string) => AsyncIterable<HeldFile>;
  readonly activities: readonly Activity[];
  /** What the data of people without an account is used for. */
  readonly mailboxActivities: readonly Activity[];
  readonly consents: readonly ConsentSource[];
  readonly mailboxConsents: readonly ConsentSource<Addressed>[];
  readonly signingKey: SigningKey;
};

/** Of files, beside the sections. */
const filesStep = "files";

/** The steps of an access request: each store is read once. @param accountId null for a mailbox */
export const accessSteps = (parts: HeldParts, accountId: string | null): readonly string[] =>
  accountId === null ? mailboxSectionsOf(parts) : [...sectionsOf(parts), filesStep];

/** Whose data a package is about, and how each part of it is read. */
type Subject = {
  readonly held: () => Promise<Held>;
  /** @param found is called with each */
  readonly files: (found: () => void) => AsyncIterable<HeldFile>;
  readonly tables: () => readonly HeldTable[];
  /** In the language and zone of the reader, with receipts. */
  readonly about: () => Promise<
    Pick<
      Parameters<typeof buildPackage>[0],
      "language" | "timeZone" | "processing" | "receipts"
    > & {
      readonly email: string;
    }
  >;
};

/**
 * Fulfils an access request: reads every store, and seals what was found as a package. Killed at any
 * time it begins anew, since nothing that was read is kept; the package is recorded once.
 */
export function collectHandler(parts: CollectParts): TimerHandler {
  const { context } = parts;
  return async (id, why) => {
    const { state } = await loadState(context.ledger.sql, privacyRequests, id);
    if (state.status !== "collecting") return;
    const { accountId } = state;
    const person = { accountId: accountId ?? "", at: why.now };
    const subject =
      accountId === null ? await mailboxSubject(parts, id, why.now) : accountSubject(parts, person);
    if (subject === undefined) return;
    const failed = (step: string) =>
      recordWork(context, id, { type: "StepFailed", data: { step, code: "unavailable" } }, why);
    const read = async (step: string, found: number) => {
      if (!state.open.includes(step)) return;
      await recordWork(context, id, { type: "StepDone", data: { step, found, left: 0 } }, why);
    };
    const held = await subject.held();
    const [missing] = held.missing;
    if (missing !== undefined) return await failed(missing);
    for (const step of accessSteps(parts, accountId)) {
      const section = held.sections.find((one) => one.section === step);
      if (step !== filesStep) await read(step, section === undefined ? 0 : itemsIn(section));
    }
    const what = { requestId: id, madeAt: why.now, sections: held.sections };
    const made = await sealPackage(parts, subject, what).catch(() => undefined);
    if (made === undefined) return await failed("package");
    await read(filesStep, made.files);
    const { sealed, sha256 } = made;
    await recordWork(context, id, { type: "PackageSealed", data: { sha256 }, sealed }, why);
  };
}

function accountSubject(parts: CollectParts, person: HeldPerson): Subject {
  const { context, contactOf, consents, signingKey, activities } = parts;
  const { accountId, at } = person;
  return {
    held: () => heldAbout(context, parts, accountId, at),
    files: (found) => filesOf(parts, person, found),
    tables: () => parts.sources.flatMap((source) => source.tables?.(context, person) ?? []),
    about: async () => {
      const contact = await contactOf(accountId);
      if (contact === undefined) throw new Error("The account is gone");
      const { email, language, timeZone } = contact;
      const decided = await consentsOf(context, consents, { accountId, email });
      const receipts = decided.map((consent) => receiptOf(signingKey, consent));
      return { email, language, timeZone, receipts, processing: activities };
    },
  };
}

/** @returns undefined when what was entered in the form is destroyed */
async function mailboxSubject(
  parts: CollectParts,
  id: string,
  at: Instant,
): Promise<Subject | undefined> {
  const { context, mailboxConsents, signingKey, mailboxActivities } = parts;
  const sender = await senderOf(context, id);
  if (sender === undefined) return undefined;
  const mailbox = mailboxOf(sender);
  return {
    held: () => heldAboutMailbox(context, parts, { address: mailbox, at }),
    files: async function* none() {},
    tables: () => [],
    about: async () => {
      const person = { accountId: null, email: mailbox };
      const decided = await consentsOf(context, mailboxConsents, person);
      const receipts = decided.map((consent) => receiptOf(signingKey, consent));
      // No form says in which zone its sender is: that of the due date is used.
      const { email, language } = sender;
      const timeZone = "Asia/Jerusalem";
      return { email, language, timeZone, receipts, processing: mailboxActivities };
    },
  };
}

/** Every file of the person, one after another: none is left out, however many there are. */
async function* filesOf(
  { context, sources, files, accountFiles }: CollectParts,
  person: HeldPerson,
  found: () => void,
): AsyncGenerator<HeldFile> {
  const all = [
    accountFiles(person.accountId),
    ...sources.map((source) => source.files?.(context, files, person) ?? []),
  ];
  for (const some of all) {
    for await (const file of some) {
      found();
      yield file;
    }
  }
}

type What = {
  readonly requestId: string;
  readonly madeAt: Instant;
  readonly sections: readonly HeldSection[];
};

async function sealPackage(
  { context, files: store, signingKey }: CollectParts,
  subject: Subject,
  what: What,
) {
  const { email, ...about } = await subject.about();
  let files = 0;
  const content = buildPackage(
    { ...what, ...about, tables: subject.tables(), files: subject.files(() => (files += 1)) },
    signingKey,
  );
  const { requestId } = what;
  const stored = await storePackage(context, store, { requestId, email, content });
  return { ...stored, files };
}
