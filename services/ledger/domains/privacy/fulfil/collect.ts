import type { SigningKey } from "@pro-talent/platform/crypto/signed-text";
import type { FileStore } from "@pro-talent/platform/files/file-store";
import type { Activity } from "@pro-talent/schemas/primitives/data-map";
import { type HeldSection, itemsIn } from "@pro-talent/schemas/privacy/held-data";

import type { ContactOf } from "../../../contacts.ts";
import type { ConsentSource, HeldFile, HeldPerson } from "../../../held.ts";
import type { WorkerContext } from "../../../kernel/module.ts";
import { loadState } from "../../../kernel/streams.ts";
import type { TimerHandler } from "../../../kernel/timers.ts";
import { consentsOf, receiptOf } from "../consents.ts";
import { heldAbout, type HeldParts, sectionsOf } from "../held.ts";
import { privacyRequests } from "../requests.ts";
import { recordWork } from "../work.ts";
import { storePackage } from "./access-package.ts";
import { buildPackage } from "./build-package.ts";

/** What a package is made with. */
export type CollectParts = HeldParts & {
  readonly context: WorkerContext;
  readonly contactOf: ContactOf;
  readonly files: FileStore;
  /** Of the accounts service. */
  readonly accountFiles: (accountId: string) => AsyncIterable<HeldFile>;
  readonly activities: readonly Activity[];
  readonly consents: readonly ConsentSource[];
  readonly signingKey: SigningKey;
};

/** Of files, beside the sections. */
const filesStep = "files";

/** The steps of an access request: each store is read once. */
export const accessSteps = (parts: HeldParts): readonly string[] => [
  ...sectionsOf(parts),
  filesStep,
];

/**
 * Fulfils an access request: reads every store, and seals what was found as a package. Killed at any
 * time it begins anew, since nothing that was read is kept; the package is recorded once.
 */
export function collectHandler(parts: CollectParts): TimerHandler {
  const { context } = parts;
  return async (id, why) => {
    const { state } = await loadState(context.ledger.sql, privacyRequests, id);
    if (state.status !== "collecting" || state.accountId === null) return;
    const { accountId } = state;
    const failed = (step: string) =>
      recordWork(context, id, { type: "StepFailed", data: { step, code: "unavailable" } }, why);
    const read = async (step: string, found: number) => {
      if (!state.open.includes(step)) return;
      await recordWork(context, id, { type: "StepDone", data: { step, found, left: 0 } }, why);
    };
    const held = await heldAbout(context, parts, accountId, why.now);
    const [missing] = held.missing;
    if (missing !== undefined) return await failed(missing);
    for (const step of sectionsOf(parts)) {
      const section = held.sections.find((one) => one.section === step);
      await read(step, section === undefined ? 0 : itemsIn(section));
    }
    const person = { accountId, at: why.now };
    const made = await sealPackage(parts, id, person, held.sections).catch(() => undefined);
    if (made === undefined) return await failed("package");
    await read(filesStep, made.files);
    const { sealed, sha256 } = made;
    await recordWork(context, id, { type: "PackageSealed", data: { sha256 }, sealed }, why);
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

async function sealPackage(
  parts: CollectParts,
  requestId: string,
  person: HeldPerson,
  sections: readonly HeldSection[],
) {
  const { context, contactOf, files: store, activities, consents, signingKey } = parts;
  const { accountId, at: madeAt } = person;
  const contact = await contactOf(accountId);
  if (contact === undefined) throw new Error("The account is gone");
  const { email, language, timeZone } = contact;
  const decided = await consentsOf(context, consents, { accountId, email });
  const receipts = decided.map((consent) => receiptOf(signingKey, consent));
  const tables = parts.sources.flatMap((source) => source.tables?.(context, person) ?? []);
  let files = 0;
  const content = buildPackage(
    {
      requestId,
      madeAt,
      language,
      timeZone,
      sections,
      tables,
      receipts,
      processing: activities,
      files: filesOf(parts, person, () => (files += 1)),
    },
    signingKey,
  );
  const stored = await storePackage(context, store, { requestId, email, content });
  return { ...stored, files };
}
