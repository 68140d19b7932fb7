import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { signingKey } from "@pro-talent/platform/crypto/signed-text";
import { openSignedLog } from "@pro-talent/platform/files/signed-log";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import {
  erasureJournalPurpose,
  JournalledErasure,
} from "@pro-talent/schemas/privacy/erasure-journal";
import { afterAll, beforeAll, expect, it } from "vitest";

import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { rawAppend } from "../testing/raw-append.ts";
import { verifyLedger } from "./verify.ts";

let ledger: TestLedger;
let directory: string;

beforeAll(async () => {
  ledger = await createTestLedger();
  directory = await mkdtemp(join(tmpdir(), "journal-"));
});
afterAll(async () => {
  await ledger.drop();
  await rm(directory, { recursive: true });
});

it("finds a journal that lost its last lines, or has others in their place", async () => {
  const journal = openSignedLog(join(directory, "journal.jsonl"), {
    key: signingKey(Buffer.alloc(32, 1)),
    purpose: erasureJournalPurpose,
    contract: JournalledErasure,
  });
  for (let times = 0; times < 2; times += 1) {
    const requestId = randomUUID();
    const { number, sha256 } = await journal.append({
      requestId,
      erasedAt: instantFromMs(Date.now()),
      subjectIds: [requestId],
      accountId: randomUUID(),
      visitorIds: [],
    });
    // The first one is as earlier versions recorded it.
    const data = JSON.stringify(number === 1 ? { entry: number } : { entry: number, sha256 });
    await rawAppend(ledger.owner, { stream: `privacy-${requestId}`, type: "JournalWritten", data });
  }
  const lines = await journal.lines();
  const found = async (given: typeof lines) =>
    (await verifyLedger(ledger.owner, { journal: given })).findings.map(({ why, what }) => ({
      why,
      what,
    }));
  expect(await found(lines)).toEqual([]);
  expect(await found(lines.slice(0, 1))).toEqual([{ why: "journal", what: "entry 2" }]);
  const [first, second] = lines;
  if (first === undefined || second === undefined) throw new Error("There are two lines");
  const other = { ...second, sha256: first.sha256 };
  expect(await found([first, other])).toEqual([{ why: "journal", what: "entry 2" }]);
});
