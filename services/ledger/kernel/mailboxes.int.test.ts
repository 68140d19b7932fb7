import { randomBytes } from "node:crypto";

import { afterAll, beforeAll, expect, it } from "vitest";

import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { openMailboxes } from "./mailboxes.ts";

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger.drop());

it("the do-not-mail list and the headers of mails survive a rotation of the lookup key", async () => {
  const [former, present] = [randomBytes(32), randomBytes(32)];
  const before = openMailboxes(ledger.sql, [former]);
  await before.block(before.hashOf("noa@example.com"), "complaint");
  const feedbackId = before.feedbackIdOf("dan@example.com");
  const rotated = openMailboxes(ledger.sql, [present, former]);
  expect(await rotated.admit("noa+news@example.com", undefined)).toBe("do_not_mail");
  expect(rotated.ofFeedbackId(feedbackId)).toEqual(before.hashOf("dan@example.com"));
  // Met once, the entry is there under the present key as well.
  const after = openMailboxes(ledger.sql, [present]);
  expect(await after.admit("noa@example.com", "a mail")).toBe("do_not_mail");
  expect(after.ofFeedbackId(feedbackId)).toBeUndefined();
  expect(await after.admit("dan@example.com", "a mail")).toBe("admitted");
});
