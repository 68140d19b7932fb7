import { readFile, rename, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";

import { key256, parseEnv } from "@pro-talent/platform/config/define-env";
import { signingKey } from "@pro-talent/platform/crypto/signed-text";
import { type LogLine, openSignedLog } from "@pro-talent/platform/files/signed-log";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import { operatorClock, printLine, readInstanceFile } from "@pro-talent/platform/runtime/operator";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { runCommand } from "@pro-talent/platform/runtime/run-command";
import type { SignedHead } from "@pro-talent/schemas/ledger/heads";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import {
  erasureJournalPurpose,
  JournalledErasure,
} from "@pro-talent/schemas/privacy/erasure-journal";
import { z } from "zod";

import { readHeadEnv } from "../heads/head-settings.ts";
import { headKey, type HeadKey, isSigned, signHead } from "../heads/signed-head.ts";
import { canonicalJson } from "../kernel/canonical-json.ts";
import { withDatabaseAs } from "../kernel/operator.ts";
import { modules } from "../modules.ts";
import { definitionsOf } from "./definitions.ts";
import { explanations, type Finding } from "./findings.ts";
import { givenHeads, headsOf } from "./given-heads.ts";
import { verifyLedger } from "./verify.ts";

/**
 * `npm run ledger:verify -- [--head <file>]… [--public-key <hex>]… [--since <file>] [--journal <file>]`:
 * verifies the whole ledger, or what came after the last verification; ends with 1 when there is a finding.
 *
 * `--head`: signed heads that the ledger must continue. `--public-key`: keys that sign them, beside the
 * one of this instance. `--since`: where a verification without a finding records how far it came, and
 * the next one begins. `--journal`: the erasure journal, which must have every entry that the ledger
 * records; signed under ERASURE_JOURNAL_KEY, or the key of this instance.
 */
const argumentsOfCommand = {
  head: { type: "string", multiple: true, default: [] as string[] },
  "public-key": { type: "string", multiple: true, default: [] as string[] },
  since: { type: "string" },
  journal: { type: "string" },
} as const;

const definitions = definitionsOf(modules);
// A large ledger takes its time.
const options = { applicationName: "ledger-verify", statementSecondsMax: 3600 };
const printedMax = 100;
const LocalSecrets = z.object({ ledgerHeadKey: key256, erasureJournalKey: key256 });

type Request = {
  readonly heads: readonly SignedHead[];
  readonly from: SignedHead | undefined;
  readonly journal: readonly LogLine<JournalledErasure>[] | undefined;
  readonly since: { readonly file: string; readonly key: HeadKey } | undefined;
};

async function verify(sql: Sql, { heads, from, since, journal }: Request): Promise<number> {
  const started = performance.now();
  const clock = operatorClock(process.env);
  const startedAt = instantFromMs(clock());
  const given = { ...(from && { from }), ...(journal && { journal }) };
  const result = await verifyLedger(sql, { heads, definitions, clock, ...given });
  const { findings, findingCount, events, end } = result;
  for (const finding of findings.slice(0, printedMax)) printLine(describe(finding));
  if (findingCount > printedMax) printLine(`and ${findingCount - printedMax} more`);
  const seconds = ((performance.now() - started) / 1000).toFixed(2);
  printLine(`${events} events up to position ${end.position} checked in ${seconds} s`);
  if (heads.length > 0) printLine(`${heads.length} signed heads compared`);
  if (journal !== undefined) printLine(`${journal.length} entries of the erasure journal compared`);
  if (findingCount > 0) {
    printLine(`The ledger is broken: ${findingCount} finding(s).`);
    return 1;
  }
  printLine("The ledger holds.");
  if (since !== undefined && end.position > 0) {
    await writeWhole(since.file, signHead(since.key, "verified", { ...end, at: startedAt }));
  }
  return 0;
}

function describe({ why, position, what }: Finding): string {
  const place = position === null ? "" : `position ${position}: `;
  return `${place}${why} (${explanations[why]})${what === undefined ? "" : `: ${what}`}`;
}

/** Another process reads the whole file or the one before. */
async function writeWhole(file: string, head: SignedHead): Promise<void> {
  await writeFile(`${file}.new`, `${canonicalJson(head)}\n`);
  await rename(`${file}.new`, file);
}

async function readRequest(): Promise<Request> {
  const { values } = parseArgs({ options: argumentsOfCommand });
  const own = await ownKey(values.since !== undefined);
  const keys = [...values["public-key"], ...(own === undefined ? [] : [own.id])];
  const heads = await givenHeads(values.head, keys);
  const journal = values.journal === undefined ? undefined : await journalOf(values.journal);
  if (values.since === undefined || own === undefined) {
    return { heads, journal, from: undefined, since: undefined };
  }
  const from = await lastVerified(values.since, own.id);
  return { heads, journal, from, since: { file: values.since, key: own } };
}

/** @throws SignatureBroken naming the line that was changed */
async function journalOf(file: string): Promise<readonly LogLine<JournalledErasure>[]> {
  const { ERASURE_JOURNAL_KEY: set } = parseEnv(
    { ERASURE_JOURNAL_KEY: key256.optional() },
    process.env,
  );
  const secret = set ?? (await localSecrets("set ERASURE_JOURNAL_KEY")).erasureJournalKey;
  return await openSignedLog(file, {
    key: signingKey(secret),
    purpose: erasureJournalPurpose,
    contract: JournalledErasure,
  }).lines();
}

const localSecrets = (advice: string) =>
  readInstanceFile(process.env, "secrets.json", LocalSecrets, advice);

/** The key of this instance: of the environment, or of the instance that runs here. */
async function ownKey(needed: boolean): Promise<HeadKey | undefined> {
  const secret = readHeadEnv(process.env).LEDGER_HEAD_SIGNING_KEY;
  if (secret !== undefined) return headKey(secret);
  const advice = "set LEDGER_HEAD_SIGNING_KEY";
  try {
    return headKey((await localSecrets(advice)).ledgerHeadKey);
  } catch (error) {
    if (needed || !(error instanceof OperatorError)) throw error;
    return undefined;
  }
}

/** Where the verification before ended. Without a file everything is verified. */
async function lastVerified(file: string, keyId: string): Promise<SignedHead | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const [from] = await headsOf(file);
  if (from !== undefined && isSigned(from, "verified", [keyId])) return from;
  throw new OperatorError(`${file} was not written by a verification under this key.`);
}

await runCommand(async () => {
  const request = await readRequest();
  return await withDatabaseAs("ledger_verifier", process.env, options, (sql) =>
    verify(sql, request),
  );
});
