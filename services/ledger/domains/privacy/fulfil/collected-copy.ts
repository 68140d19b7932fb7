import { randomUUID } from "node:crypto";

import type { FileStore } from "@pro-talent/platform/files/file-store";
import { Instant } from "@pro-talent/schemas/primitives/instant";
import { HeldRecord, HeldSection } from "@pro-talent/schemas/privacy/held-data";
import type { Redaction } from "@pro-talent/schemas/privacy/redaction";
import { z } from "zod";

import type { LedgerContext } from "../../../kernel/module.ts";
import { readEncrypted, removeNamed, storeEncrypted } from "./access-package.ts";
import { fits, type Mark, redacted } from "./redact.ts";

/**
 * What was collected for a copy that is reviewed, kept as it was until the copy is sealed: places in it mean
 * the same at the sealing as they did at the review, whatever has changed in the stores since. One line
 * describes the stores, and each further one is an entry.
 */
const Head = z.object({
  collectedAt: Instant,
  stores: z.array(z.object({ store: HeldSection.shape.section, entries: z.int().nonnegative() })),
});
type Head = z.infer<typeof Head>;

const folder = "collections";

type Context = Pick<LedgerContext, "ledger" | "subjects">;
type Collected = {
  readonly requestId: string;
  readonly email: string;
  readonly collectedAt: Instant;
  readonly sections: readonly HeldSection[];
};

/** Stores it encrypted. @returns what is sealed with `PackageCollected`, and its SHA-256 */
export async function storeCollected(
  { subjects }: Pick<Context, "subjects">,
  files: FileStore,
  { requestId, email, collectedAt, sections }: Collected,
) {
  const head: Head = {
    collectedAt,
    stores: sections.map(({ section, records }) => ({ store: section, entries: records.length })),
  };
  async function* lines() {
    yield Buffer.from(`${JSON.stringify(head)}\n`);
    for (const { records } of sections)
      for (const record of records) yield Buffer.from(`${JSON.stringify(record)}\n`);
  }
  const content = { requestId, email, content: lines() };
  return await storeEncrypted(subjects, content, {
    file: `${folder}/${requestId}-${randomUUID()}`,
    write: (name, part) => files.write(name, part),
  });
}

/** Removes what was collected for a request, also by attempts that were never recorded. */
export const removeCollected = (files: FileStore, requestId: string): Promise<void> =>
  removeNamed(files, folder, requestId);

/** The names of its files begin so. */
export const collectedTrace = (requestId: string): string => `${folder}/${requestId}-`;

export type Entry = {
  readonly store: HeldSection["section"];
  readonly entry: number;
  readonly record: HeldRecord;
};

/** @returns undefined when it cannot be read any more; the entries are read as they are asked for */
export async function openCollected(
  context: Context,
  files: FileStore,
  requestId: string,
): Promise<{ readonly head: Head; readonly entries: AsyncGenerator<Entry> } | undefined> {
  const content = await readEncrypted(context, files, { requestId, type: "PackageCollected" });
  if (content === undefined) return undefined;
  const lines = linesOf(content instanceof Buffer ? [content] : content);
  const first = await lines.next();
  const head = Head.parse(JSON.parse(first.value ?? ""));
  async function* entries(): AsyncGenerator<Entry> {
    try {
      for (const { store, entries: count } of head.stores)
        for (let entry = 0; entry < count; entry += 1) {
          const line = await lines.next();
          const record = HeldRecord.parse(JSON.parse(line.value ?? ""));
          yield { store, entry, record };
        }
    } finally {
      await lines.return(undefined);
    }
  }
  return { head, entries: entries() };
}

async function* linesOf(parts: AsyncIterable<unknown> | Iterable<unknown>) {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of parts) {
    const pieces = (
      rest + decoder.decode(z.instanceof(Buffer).parse(part), { stream: true })
    ).split("\n");
    rest = pieces.pop() ?? "";
    yield* pieces;
  }
}

const keyOf = ({ store, entry }: Pick<Entry, "store" | "entry">): string => `${store} ${entry}`;

/** Whether each redaction withholds something that was collected. */
export async function allFit(
  entries: AsyncIterable<Entry>,
  redactions: readonly Redaction[],
): Promise<boolean> {
  const open = Map.groupBy(redactions, keyOf);
  for await (const { record, ...place } of entries) {
    const own = open.get(keyOf(place));
    if (own?.some((one) => !fits(record, one))) return false;
    open.delete(keyOf(place));
    if (open.size === 0) return true;
  }
  return open.size === 0;
}

export type RedactedCopy = {
  readonly sections: readonly HeldSection[];
  /** Redactions that were made. */
  readonly made: number;
  /** Names of files that are withheld, with what stands in their place. */
  readonly fileNames: ReadonlyMap<string, string>;
};

/** The sections without what is withheld: it is taken out of each entry as it is read. */
export async function withoutWithheld(
  entries: AsyncIterable<Entry>,
  redactions: readonly Redaction[],
  mark: Mark,
): Promise<RedactedCopy> {
  const byEntry = Map.groupBy(redactions, keyOf);
  const sections: { section: HeldSection["section"]; records: HeldRecord[] }[] = [];
  const fileNames = new Map<string, string>();
  let made = 0;
  for await (const { record, ...place } of entries) {
    const own = (byEntry.get(keyOf(place)) ?? []).filter((one) => fits(record, one));
    made += own.length;
    const kept = redacted(record, own, mark);
    // The file itself is stored in the package under this name.
    for (const { name, reason } of fileNamesIn(record, own)) fileNames.set(name, mark(reason));
    const last = sections.at(-1);
    if (last?.section === place.store) last.records.push(kept);
    else sections.push({ section: place.store, records: [kept] });
  }
  return { sections, made, fileNames };
}

const fileNamesIn = (record: HeldRecord, redactions: readonly Redaction[]) =>
  redactions.flatMap(({ value, reason }) =>
    record.flatMap((one, place) =>
      (value === null || value === place) && one.field === "file" && "text" in one
        ? [{ name: one.text, reason }]
        : [],
    ),
  );
