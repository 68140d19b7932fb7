import { createHash } from "node:crypto";

import type { SigningKey } from "@pro-talent/platform/crypto/signed-text";
import type { FileStore } from "@pro-talent/platform/files/file-store";
import type { Activity } from "@pro-talent/schemas/primitives/data-map";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import type { ContactOf } from "../../../contacts.ts";
import type { ConsentSource, HeldFile } from "../../../held.ts";
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
  readonly activities: readonly Activity[];
  readonly consents: readonly ConsentSource[];
  readonly signingKey: SigningKey;
};

/** Of uploaded files, beside the sections. */
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
    const failed = (step: string) =>
      recordWork(context, id, { type: "StepFailed", data: { step, code: "unavailable" } }, why);
    const held = await heldAbout(context, parts, state.accountId);
    const [missing] = held.missing;
    if (missing !== undefined) return await failed(missing);
    const files = await filesOf(parts, state.accountId).catch(() => undefined);
    if (files === undefined) return await failed(filesStep);
    const found = (step: string): number =>
      step === filesStep
        ? files.length
        : (held.sections.find(({ section }) => section === step)?.records.length ?? 0);
    for (const step of state.open)
      await recordWork(
        context,
        id,
        { type: "StepDone", data: { step, found: found(step), left: 0 } },
        why,
      );
    const { accountId } = state;
    const packed = { requestId: id, accountId, sections: held.sections, files, now: why.now };
    const made = await sealPackage(parts, packed).catch(() => undefined);
    if (made === undefined) return await failed("package");
    const { sealed, sha256 } = made;
    await recordWork(context, id, { type: "PackageSealed", data: { sha256 }, sealed }, why);
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

type Packed = Pick<Parameters<typeof buildPackage>[0], "requestId" | "sections" | "files"> & {
  readonly accountId: string;
  readonly now: Instant;
};

async function sealPackage(
  { context, contactOf, files: store, activities, consents, signingKey }: CollectParts,
  { accountId, now, ...held }: Packed,
) {
  const contact = await contactOf(accountId);
  if (contact === undefined) throw new Error("The account is gone");
  const { email, language, timeZone } = contact;
  const decided = await consentsOf(context, consents, { accountId, email });
  const receipts = decided.map((consent) => receiptOf(signingKey, consent));
  const about = { language, timeZone, madeAt: now, processing: activities, receipts };
  const content = buildPackage({ ...held, ...about }, signingKey);
  const { requestId } = held;
  const sealed = await storePackage(context, store, { requestId, email, content });
  return { sealed, sha256: createHash("sha256").update(content).digest("hex") };
}
