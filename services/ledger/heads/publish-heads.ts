import { readFile, writeFile } from "node:fs/promises";

import type { Mail, Mailer } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { repeat, type Repetition } from "@pro-talent/platform/runtime/repeat";
import type { SignedHead } from "@pro-talent/schemas/ledger/heads";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { canonicalJson } from "../kernel/canonical-json.ts";
import { verifyLedger } from "../verifier/verify.ts";
import { hashesOf, treeRoot } from "./hash-tree.ts";
import { HeadFile } from "./head-file.ts";
import { type HeadKey, signHead } from "./signed-head.ts";

/** What publishing needs; without a file and a key no heads are published. */
export type HeadSettings = {
  readonly file: string;
  readonly key: HeadKey;
  /** Who receives the newest head each day. */
  readonly officer?: string;
};

export type PublishOptions = HeadSettings & {
  /** A pool of the role `ledger_app`, which may read the chain. */
  readonly sql: Sql;
  readonly mailer: Pick<Mailer, "send">;
  readonly clock: Clock;
};

/** Raised when the ledger does not continue its last signed head. No head is signed then. */
export class LedgerRewritten extends Error {
  override readonly name = "LedgerRewritten";
}

const checkEveryMs = 60_000;
const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/**
 * Signs and publishes the ledger's end when it grew and the last head is an hour old, and mails the
 * newest head once a day. The file alone says what was published, so that a crash at any point leads to
 * one head more or one mail more, never to a gap.
 * @throws LedgerRewritten when the events since the last head do not continue it
 */
export async function publishHeads(options: PublishOptions): Promise<void> {
  const file = new HeadFile(options.file);
  const newest = (await file.read()).at(-1);
  const nowMs = options.clock();
  if (newest === undefined || nowMs - Date.parse(newest.at) >= hourMs) {
    const head = await nextHead(options, newest, nowMs);
    if (head !== undefined) await file.append(head);
  }
  await mailNewest(options, (await file.read()).at(-1), nowMs);
}

/** Publishes until stopped. */
export function startPublishing(options: PublishOptions, log: Logger): Repetition {
  return repeat({
    everyMs: checkEveryMs,
    pass: async () => {
      await publishHeads(options);
      return "wait";
    },
    onFailing: (error) => log.error({ err: error }, "the ledger's head is not published"),
  });
}

/** Nothing is signed but what continues the head before: a rewritten ledger gets no new signature. */
async function nextHead(
  { sql, key }: PublishOptions,
  newest: SignedHead | undefined,
  nowMs: number,
): Promise<SignedHead | undefined> {
  const since = newest === undefined ? {} : { from: newest };
  const { findings, events, end } = await verifyLedger(sql, since);
  const [first] = findings;
  if (first !== undefined) throw new LedgerRewritten(`${first.why} at ${first.position}`);
  if (events === 0) return undefined;
  const from = (newest?.position ?? 0) + 1;
  const root = treeRoot(await hashesOf(sql, { from, to: end.position }));
  return signHead(key, "head", { ...end, at: instantFromMs(nowMs), tree: { from, root } });
}

async function mailNewest(
  { file, officer, mailer }: PublishOptions,
  head: SignedHead | undefined,
  nowMs: number,
): Promise<void> {
  if (officer === undefined || head === undefined) return;
  const marker = `${file}.mailed`;
  const mailed = await readFile(marker, "utf8").catch(() => "");
  if (mailed !== "" && nowMs - Date.parse(mailed) < dayMs) return;
  await mailer.send(headMail(head, officer));
  await writeFile(marker, instantFromMs(nowMs));
}

/** The same head is the same mail, so that a repeated one is recognised. */
function headMail(head: SignedHead, officer: string): Mail {
  const title = `The ledger's head at position ${head.position}`;
  const explanation =
    "Keep this mail. `npm run ledger:verify -- --head <file>` with the line below in the file shows " +
    "whether anything that was recorded until then has been rewritten since.";
  return {
    id: `ledger-head-${head.epoch}-${head.position}`,
    to: { address: officer },
    subject: title,
    language: "en",
    automatic: true,
    ...renderMail({
      language: "en",
      title,
      preheader: head.hash,
      blocks: [
        { kind: "paragraph", text: explanation },
        { kind: "quote", text: canonicalJson(head) },
      ],
      footer: [],
    }),
  };
}
