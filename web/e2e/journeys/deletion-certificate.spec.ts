import { ErasureCertificate } from "@pro-talent/schemas/privacy/evidence";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type Stack, startPages } from "../fixtures.ts";
import { ForcedAnswers, takeReports } from "../forced-answers.ts";
import { accessibilityFaults, faultFinder, overflowFaults, targetFaults } from "../page-faults.ts";
import { consentGiven } from "../site-paths.ts";
import { texts } from "../texts.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const requestId = "5f8fad5b-d9cb-469f-a165-70867728950e";
const path = `/api/privacy/certificates/${requestId}`;
const certificate = ErasureCertificate.parse({
  requestId,
  receivedAt: "2026-03-01T09:00:00.000Z",
  erasedAt: "2026-03-31T09:02:00.000Z",
  stores: [
    { store: "links", found: 37, left: 0 },
    { store: "accounts", found: 12, left: 0 },
    { store: "new-store", found: 1, left: 0 },
  ],
  kept: [{ asset: "ledger.invoice", law: "israel-bookkeeping" }],
  backups: {
    goneBy: "2026-05-30T09:00:00.000Z",
    goneAt: null,
    oldestRestorableAt: null,
    keyStoreDays: 14,
  },
  position: 1234,
  hash: "a".repeat(64),
  keyId: "7".repeat(64),
});

describe.each(["en", "he"] as const)("the certificate of a deletion, in %s", (language) => {
  const say = texts[language].certificate;

  test("is found by the number of the last mail, says so when there is none, and is saved", async () => {
    const visitor = await stack.visit({ language, before: `${consentGiven}${faultFinder}` });
    const { page } = visitor;
    const answers = new ForcedAnswers();
    await takeReports(page);
    await answers.takeOver(page, path);
    const expectNoFault = async () => {
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect([...(await overflowFaults(page)), ...(await targetFaults(page))]).toEqual([]);
      }
      expect(await accessibilityFaults(page)).toEqual([]);
    };
    await visitor.open("/deletion-certificate");
    await expectNoFault();
    await page.locator("[name=number]").fill(requestId);
    await page.getByRole("button", { name: say.find }).press("Enter");
    await page.getByText(say.loading).waitFor();
    await answers.answer({ status: 404, body: { code: "certificate_unknown" } });
    await page.getByText(say.unknown).waitFor();
    await expectNoFault();
    await page.reload();
    await answers.cut();
    await page.getByText(say.failed).waitFor();
    await page.getByRole("button", { name: say.retry }).press("Enter");
    const document = '{"entry":{},"signature":""}';
    await answers.answer({ status: 200, body: { certificate, document } });
    await page.getByText(say.backups.pending).waitFor();
    expect(await page.getByRole("table").locator("tbody tr").count()).toBe(3);
    await expectNoFault();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: say.save }).press("Enter");
    expect((await saved).suggestedFilename()).toBe("deletion-5f8fad5b.json");
    await visitor.leave();
  });
});
