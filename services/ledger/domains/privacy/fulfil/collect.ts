import { createHash } from "node:crypto";

import type { SigningKey } from "@pro-talent/platform/crypto/signed-text";
import type { FileStore } from "@pro-talent/platform/files/file-store";
import type { Activity } from "@pro-talent/schemas/primitives/data-map";

import type { ConsentSource, HeldFile } from "../../../held.ts";
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
  readonly activities: readonly Activity[];
  /** What the data of people without an account is used for. */
  readonly mailboxActivities: readonly Activity[];
  readonly consents: readonly ConsentSource[];
  readonly mailboxConsents: readonly ConsentSource<Addressed>[];
  readonly signingKey: SigningKey;
};

/** Of uploaded files, beside the sections. */
const filesStep = "files";

/** The steps of an access request: each store is read once. @param accountId null for a mailbox */
export const accessSteps = (parts: HeldParts, accountId: string | null): readonly string[] =>
  accountId === null ? mailboxSectionsOf(parts) : [...sectionsOf(parts), filesStep];

/** Whose data a package is about, and how each part of it is read. */
type Subject = {
  readonly held: () => Promise<Held>;
  readonly files: () => Promise<readonly HeldFile[]>;
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
    const subject =
      accountId === null ? await mailboxSubject(parts, id) : accountSubject(parts, accountId);
    if (subject === undefined) return;
    const failed = (step: string) =>
      recordWork(context, id, { type: "StepFailed", data: { step, code: "unavailable" } }, why);
    const held = await subject.held();
    const [missing] = held.missing;
    if (missing !== undefined) return await failed(missing);
    const files = await subject.files().catch(() => undefined);
    if (files === undefined) return await failed(filesStep);
    const found = (step: string): number =>
      step === filesStep
        ? files.length
        : (held.sections.find(({ section }) => section === step)?.records.length ?? 0);
    for (const step of state.open) {
      const data = { step, found: found(step), left: 0 };
      await recordWork(context, id, { type: "StepDone", data }, why);
    }
    const read = { requestId: id, sections: held.sections, files, madeAt: why.now };
    const made = await sealPackage(parts, subject, read).catch(() => undefined);
    if (made === undefined) return await failed("package");
    const { sealed, sha256 } = made;
    await recordWork(context, id, { type: "PackageSealed", data: { sha256 }, sealed }, why);
  };
}

function accountSubject(parts: CollectParts, accountId: string): Subject {
  const { context, contactOf, consents, signingKey, activities } = parts;
  return {
    held: () => heldAbout(context, parts, accountId),
    files: () => filesOf(parts, accountId),
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
async function mailboxSubject(parts: CollectParts, id: string): Promise<Subject | undefined> {
  const { context, mailboxConsents, signingKey, mailboxActivities } = parts;
  const sender = await senderOf(context, id);
  if (sender === undefined) return undefined;
  const mailbox = mailboxOf(sender);
  return {
    held: () => heldAboutMailbox(context, parts, mailbox),
    files: async () => [],
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

/** All at once in memory: an account holds a few files of some megabytes; those beyond are named. */
const filesBytesMax = 256 * 1024 * 1024;

async function filesOf(
  { context, sources, files }: CollectParts,
  accountId: string,
): Promise<readonly HeldFile[]> {
  const found: HeldFile[] = [];
  let bytes = 0;
  for (const { files: filesIn } of sources) {
    for await (const file of filesIn?.(context, files, accountId) ?? []) {
      bytes += file.content.length;
      if (bytes > filesBytesMax) return found;
      found.push(file);
    }
  }
  return found;
}

type Read = Pick<Parameters<typeof buildPackage>[0], "requestId" | "sections" | "files" | "madeAt">;

async function sealPackage(
  { context, files: store, signingKey }: CollectParts,
  subject: Subject,
  read: Read,
) {
  const { email, ...about } = await subject.about();
  const content = buildPackage({ ...read, ...about }, signingKey);
  const { requestId } = read;
  const sealed = await storePackage(context, store, { requestId, email, content });
  return { sealed, sha256: createHash("sha256").update(content).digest("hex") };
}
