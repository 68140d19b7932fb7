import type { SigningKey } from "@pro-talent/platform/crypto/signed-text";
import type { FileStore } from "@pro-talent/platform/files/file-store";
import type { Activity } from "@pro-talent/schemas/primitives/data-map";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { type HeldSection, itemsIn } from "@pro-talent/schemas/privacy/held-data";
import { type Withheld, withheldBy } from "@pro-talent/schemas/privacy/redaction";

import type { ConsentSource, HeldFile, HeldPerson, HeldTable } from "../../../held.ts";
import type { Addressed } from "../../../kernel/erasers.ts";
import type { WorkerContext } from "../../../kernel/module.ts";
import { loadState } from "../../../kernel/streams.ts";
import type { TimerHandler } from "../../../kernel/timers.ts";
import { consentsOf, receiptOf } from "../consents.ts";
import { confirmedIn, isReviewNeeded } from "../copy-review.decider.ts";
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
import type { KnownRequest } from "../state.decider.ts";
import { logFailure, recordWork } from "../work.ts";
import { storePackage } from "./access-package.ts";
import { buildPackage } from "./build-package.ts";
import { openCollected, storeCollected, withoutWithheld } from "./collected-copy.ts";
import type { Mark } from "./redact.ts";
import { withheldTexts } from "./withheld-texts.ts";

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

type Work = { readonly id: string; readonly why: Parameters<TimerHandler>[1] };
type Collecting = Work & { readonly subject: Subject; readonly state: KnownRequest };

/**
 * Fulfils an access request: reads every store, and seals what was found as a package, or keeps it for
 * officers to review first. Killed at any time it begins anew; what was kept, and the package, are recorded
 * once.
 */
export function collectHandler(parts: CollectParts): TimerHandler {
  const { context } = parts;
  return async (id, why) => {
    const { state } = await loadState(context.ledger.sql, privacyRequests, id);
    if (state.status !== "collecting") return;
    const subject = await subjectOf(parts, { id, state, now: why.now });
    if (subject === undefined) return;
    const work = { id, why, subject, state };
    if (state.review === null) await collect(parts, work);
    else await sealReviewed(parts, work);
  };
}

async function collect(parts: CollectParts, work: Collecting): Promise<void> {
  const { subject, state, why } = work;
  const { sections, missing } = await subject.held();
  if (missing[0] !== undefined) return await failed(parts, work, missing[0]);
  const counted = Object.fromEntries(sections.map((one) => [one.section, itemsIn(one)]));
  for (const step of accessSteps(parts, state.accountId))
    if (step !== filesStep) await read(parts, work, step, counted[step] ?? 0);
  const copy = { sections, withheld: [], madeAt: why.now, fileNames: new Map<string, string>() };
  // What was found by an earlier attempt counts as well: the decider knows it.
  const found = { ...state, found: { ...counted, ...positive(state.found) } };
  if (isReviewNeeded(found)) return await keepForReview(parts, work, copy);
  const made = await sealPackage(parts, work, copy).catch(logFailure(parts.context, "package"));
  if (made === undefined) return await failed(parts, work, "package");
  await read(parts, work, filesStep, made.files);
  const { sealed, sha256 } = made;
  await recordWork(
    parts.context,
    work.id,
    { type: "PackageSealed", data: { sha256 }, sealed },
    why,
  );
}

const positive = (found: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(found).filter(([, count]) => count > 0));

async function keepForReview(
  parts: CollectParts,
  work: Collecting,
  { sections, madeAt: collectedAt }: Copy,
): Promise<void> {
  const { context, files } = parts;
  const { id, why, subject } = work;
  const kept = await subject
    .about()
    .then(({ email }) =>
      storeCollected(context, files, { requestId: id, email, collectedAt, sections }),
    )
    .catch(logFailure(context, "package"));
  if (kept === undefined) return await failed(parts, work, "package");
  // They are read again when the package is sealed.
  let count = 0;
  const found = subject.files(() => (count += 1))[Symbol.asyncIterator]();
  while ((await found.next()).done !== true);
  await read(parts, work, filesStep, count);
  const { sealed, sha256 } = kept;
  await recordWork(context, id, { type: "PackageCollected", data: { sha256 }, sealed }, why);
}

/** Seals what was reviewed, without what officers withhold. */
async function sealReviewed(parts: CollectParts, work: Collecting): Promise<void> {
  const { context, files } = parts;
  const { id, why, state } = work;
  const redactions = confirmedIn(state);
  const made = await openCollected(context, files, id)
    .then(async (collected) => {
      if (collected === undefined) return "lost";
      const { collectedAt: madeAt } = collected.head;
      // As it was when it was collected, also what is too long to be kept until now.
      const subject = await subjectOf(parts, { id, state, now: madeAt });
      if (subject === undefined) throw new Error("What was entered in the form is destroyed");
      const { language } = await subject.about();
      const copy = await withoutWithheld(collected.entries, redactions, markIn(language));
      const withheld = withheldBy(redactions);
      const sealing = { ...copy, madeAt, withheld };
      return { ...(await sealPackage(parts, { ...work, subject }, sealing)), count: copy.made };
    })
    .catch(logFailure(context, "package"));
  if (made === undefined) return await failed(parts, work, "package");
  if (made === "lost") {
    await recordWork(context, id, { type: "CollectionDiscarded", data: {} }, why);
    await collectHandler(parts)(id, why);
    return;
  }
  const { sealed, sha256, count } = made;
  const data = { sha256, ...(count > 0 && { withheld: count }) };
  await recordWork(context, id, { type: "PackageSealed", data, sealed }, why);
}

const markIn =
  (language: Locale): Mark =>
  (reason) => {
    const { mark, reasons } = withheldTexts[language];
    return mark.replace("{{reason}}", reasons[reason]);
  };

const failed = (
  { context }: Pick<CollectParts, "context">,
  { id, why }: Work,
  step: string,
): Promise<void> =>
  recordWork(context, id, { type: "StepFailed", data: { step, code: "unavailable" } }, why);

async function read(
  { context }: Pick<CollectParts, "context">,
  { id, why, state }: Collecting,
  step: string,
  found: number,
): Promise<void> {
  if (!state.open.includes(step)) return;
  await recordWork(context, id, { type: "StepDone", data: { step, found, left: 0 } }, why);
}

async function subjectOf(
  parts: CollectParts,
  { id, state, now }: { readonly id: string; readonly state: KnownRequest; readonly now: Instant },
): Promise<Subject | undefined> {
  const { accountId } = state;
  return accountId === null
    ? await mailboxSubject(parts, id, now)
    : accountSubject(parts, { accountId, at: now });
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

/** What a package is made of. `fileNames`: names that are withheld, with what stands in their place. */
type Copy = {
  readonly sections: readonly HeldSection[];
  readonly withheld: readonly Withheld[];
  readonly madeAt: Instant;
  readonly fileNames: ReadonlyMap<string, string>;
};

async function sealPackage(
  { context, files: store, signingKey }: CollectParts,
  { id: requestId, subject }: Collecting,
  { sections, withheld, madeAt, fileNames }: Copy,
) {
  const { email, ...about } = await subject.about();
  let files = 0;
  async function* named() {
    for await (const file of subject.files(() => (files += 1)))
      yield { ...file, name: fileNames.get(file.name) ?? file.name };
  }
  const content = buildPackage(
    { requestId, madeAt, sections, withheld, ...about, tables: subject.tables(), files: named() },
    signingKey,
  );
  const stored = await storePackage(context, store, { requestId, email, content });
  return { ...stored, files };
}
