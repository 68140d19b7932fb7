import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";

import type { SigningKey } from "@pro-talent/platform/crypto/signed-text";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { SignedHead } from "@pro-talent/schemas/ledger/heads";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { backupHorizonFile } from "@pro-talent/schemas/privacy/erasure-journal";
import { type Evidence, evidencePurpose } from "@pro-talent/schemas/privacy/evidence";

import { hashesOf, treePath } from "../../../heads/hash-tree.ts";
import { HeadFile } from "../../../heads/head-file.ts";
import { canonicalJson } from "../../../kernel/canonical-json.ts";
import { bytesOf, json, signedArchive, verifier } from "../fulfil/signed-archive.ts";
import { provenEvents, type ProvenEvent } from "./chained-events.ts";
import { evidencePage } from "./evidence-page.ts";
import { evidenceTexts } from "./evidence-texts.ts";
import { evidenceOf } from "./evidence.ts";

/** Where proof is kept outside the databases; a file that is absent proves nothing. */
export type ProofFiles = {
  readonly heads: string | undefined;
  readonly journal: string | undefined;
};

export type EvidenceParts = {
  readonly sql: Sql;
  readonly signingKey: SigningKey;
  readonly proofs: ProofFiles;
  /** SHA-256 of the record of processing activities. */
  readonly register: string | null;
};

type Asked = {
  readonly requestId: string;
  readonly language: Locale;
  readonly at: Instant;
};

/**
 * Everything that proves what became of a privacy request, without personal data: a readable page, JSON, the
 * events with their places in the ledger's chain, the heads that cover them, the lines of the journal and of
 * the backups, and a signed manifest of it all.
 * @returns a ZIP archive; undefined when there is no such request
 */
export async function evidencePack(
  { sql, signingKey, proofs, register }: EvidenceParts,
  { requestId, language, at }: Asked,
): Promise<Uint8Array | undefined> {
  const events = await provenEvents(sql, requestId);
  const evidence = evidenceOf(requestId, events, { at, register });
  if (evidence === undefined) return undefined;
  const heads = proofs.heads === undefined ? [] : await new HeadFile(proofs.heads).read();
  const covering = coveringHeads(events, heads);
  const parts = [
    {
      path: "index.html",
      content: bytesOf(evidencePage(evidence, { events, covering, language })),
    },
    { path: "evidence.json", content: json(evidence) },
    { path: "events.json", content: json(await chainOf(sql, events, covering)) },
    { path: "heads.jsonl", content: lines(covering.map((head) => canonicalJson(head))) },
    { path: "journal.jsonl", content: lines(await journalLines(proofs, evidence)) },
    { path: "backups.jsonl", content: lines(await backupLines(proofs, evidence)) },
    { path: "verify.mjs", content: verifier },
    { path: "VERIFY.txt", content: bytesOf(evidenceTexts[language].verify.join("\n\n")) },
  ];
  const archive = signedArchive(signingKey, evidencePurpose, { requestId, madeAt: at, parts });
  return await buffer(archive);
}

const lines = (texts: readonly string[]): Uint8Array =>
  bytesOf(texts.map((text) => `${text}\n`).join(""));

const headOver = (heads: readonly SignedHead[], at: number): SignedHead | undefined =>
  heads.find(({ position }) => position >= at);

/** Of each event the first head that was published after it. */
function coveringHeads(
  events: readonly ProvenEvent[],
  heads: readonly SignedHead[],
): readonly SignedHead[] {
  const covering = events.map(({ position }) => headOver(heads, position));
  return [...new Set(covering)].filter((head) => head !== undefined);
}

async function chainOf(
  sql: Sql,
  events: readonly ProvenEvent[],
  covering: readonly SignedHead[],
): Promise<readonly object[]> {
  const trees = new Map(
    await Promise.all(
      covering.flatMap(({ position, tree }) =>
        tree === undefined
          ? []
          : [
              hashesOf(sql, { from: tree.from, to: position }).then(
                (all) => [position, all] as const,
              ),
            ],
      ),
    ),
  );
  return events.map(({ position, chained }) => {
    const head = headOver(covering, position);
    const hashes = trees.get(head?.position ?? 0);
    const from = head?.tree?.from ?? Infinity;
    // An event from before the trees is covered by the head's own hash alone.
    const isInTree = head !== undefined && hashes !== undefined && position >= from;
    const proof = isInTree
      ? { head: head.position, path: treePath(hashes, position - from) }
      : null;
    return { ...chained, proof };
  });
}

async function journalLines(
  { journal: file }: ProofFiles,
  { journal }: Evidence,
): Promise<readonly string[]> {
  if (file === undefined || journal === null) return [];
  return (await linesIn(file)).slice(journal.entry - 1, journal.entry);
}

/** What the backup program has signed: what was purged, and what could be restored when the deletion was completed. */
async function backupLines(
  { journal: file }: ProofFiles,
  { backups }: Evidence,
): Promise<readonly string[]> {
  if (file === undefined || backups === null) return [];
  const { oldestRestorableAt, proof } = backups;
  const all = await linesIn(join(dirname(file), backupHorizonFile));
  const aged = all.find((line) => line.includes(`"oldestRestorableAt":"${oldestRestorableAt}"`));
  const purged = (proof?.purged ?? []).map(({ copy }) => `"copy":"${copy}"`);
  return all.filter((line) => line === aged || purged.some((copy) => line.includes(copy)));
}

async function linesIn(file: string): Promise<readonly string[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split("\n").slice(0, -1);
}
