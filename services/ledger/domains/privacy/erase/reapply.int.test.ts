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
import { keyStep } from "@pro-talent/schemas/privacy/events";
import { afterAll, beforeAll, expect, it } from "vitest";

import { runCommand } from "../../../kernel/commands.ts";
import type { Eraser } from "../../../kernel/erasers.ts";
import { loadState } from "../../../kernel/streams.ts";
import { testCause } from "../../../testing/create-test-ledger.ts";
import { privacyRequests } from "../requests.ts";
import * as facts from "../testing/facts.ts";
import { openPrivacy } from "../testing/open-privacy.ts";
import { eraseHandler, stepsFor } from "./erase-person.ts";
import { reapplyJournal } from "./reapply.ts";

let privacy: Awaited<ReturnType<typeof openPrivacy>>;
let directory: string;
const erased: string[] = [];
/** What a store of the restored backup holds of each account. */
const held = new Set<string>();
const stores: Eraser = {
  step: "store",
  erase: async (_context, { accountId }) => {
    erased.push(accountId);
    return { found: held.delete(accountId) ? 1 : 0, left: 0 };
  },
};
const key: Eraser = { step: keyStep, erase: async () => ({ found: 0, left: 0 }) };

beforeAll(async () => {
  privacy = await openPrivacy();
  directory = await mkdtemp(join(tmpdir(), "reapply-"));
});
afterAll(async () => {
  await privacy.close();
  await rm(directory, { recursive: true });
});

const parts = () => ({
  context: privacy.worker,
  journal: openSignedLog(join(directory, "journal.jsonl"), {
    key: signingKey(Buffer.alloc(32, 1)),
    purpose: erasureJournalPurpose,
    contract: JournalledErasure,
  }),
  scopeOf: (_id: string, accountId: string | null) => ({
    accountId,
    steps: stepsFor(privacy.worker, [stores, key], async () => ({
      accountId: accountId ?? "",
      email: null,
    })),
    email: async () => null,
    traces: async () => ({}),
    close: async () => undefined,
  }),
  search: async () => [{ store: "ledger" as const, decoy: true, hits: 0, kept: 0, searched: 1 }],
});

const journalled = (requestId: string, accountId: string | null) =>
  parts().journal.append({
    requestId,
    erasedAt: instantFromMs(Date.now()),
    subjectIds: [requestId],
    accountId,
    visitorIds: accountId === null ? [randomUUID()] : [],
  });

async function command(id: string, one: ReturnType<typeof facts.receives>): Promise<void> {
  const why = { now: instantFromMs(privacy.worker.clock()), cause: testCause("service:test") };
  await runCommand(privacy.worker.ledger, privacyRequests, { ...why, id, command: one, body: one });
}

const statusOf = async (id: string): Promise<string> =>
  (await loadState(privacy.worker.ledger.sql, privacyRequests, id)).state.status;

it("erases again what a restored backup holds of a deletion that it does not know, or knows as scheduled", async () => {
  const [unknown, scheduled, visitor] = [randomUUID(), randomUUID(), randomUUID()];
  const [first, second] = [randomUUID(), facts.accountId];
  await command(scheduled, facts.receives("delete"));
  await journalled(unknown, first);
  await journalled(scheduled, second);
  await journalled(visitor, null);
  for (const account of [first, second]) held.add(account);

  await reapplyJournal(parts())();
  for (const id of [unknown, scheduled]) {
    expect(await statusOf(id)).toBe("erasing");
    const why = { now: instantFromMs(privacy.worker.clock()), cause: testCause("service:test") };
    await eraseHandler(parts())(id, why);
    expect(await statusOf(id)).toBe("erased");
  }
  expect(held.size).toBe(0);
  // An erasure of visits is no request of an account.
  expect(await statusOf(visitor)).toBe("none");
  const times = erased.length;
  await reapplyJournal(parts())();
  expect(await statusOf(unknown)).toBe("erased");
  expect(erased).toHaveLength(times);
});
