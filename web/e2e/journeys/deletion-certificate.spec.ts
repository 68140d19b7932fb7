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
    overdue: false,
    proof: null,
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

  test("names the keys that were destroyed with the backups, and says so when nothing shows that they were", async () => {
    const visitor = await stack.visit({ language, before: `${consentGiven}${faultFinder}` });
    const { page } = visitor;
    const answers = new ForcedAnswers();
    await takeReports(page);
    await answers.takeOver(page, path);
    const goneAt = "2026-05-16T09:00:00.000Z";
    const [epoch, set] = ["9f2c41d07ab35e68", "20260328t030000z-1c9a07fe"];
    const proof = {
      keyId: "8".repeat(64),
      purged: [{ copy: set, madeAt: "2026-03-28T03:00:00.000Z", epoch, destroyedAt: goneAt }],
      epochKeys: [
        { epoch: "4be07d11", destroyedAt: goneAt },
        { epoch: "77aa02c9", destroyedAt: null },
      ],
    };
    const oldestRestorableAt = "2026-04-20T03:00:00.000Z";
    const shows = async (backups: object, text: string) => {
      await visitor.open(`/deletion-certificate?number=${requestId}`);
      const body = { certificate: { ...certificate, backups }, document: "{}" };
      await answers.answer({ status: 200, body });
      await page.getByText(text).waitFor();
      for (const summary of await page.locator(".certificate__keys summary").all())
        await summary.press("Enter");
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect([...(await overflowFaults(page)), ...(await targetFaults(page))]).toEqual([]);
      }
      expect(await accessibilityFaults(page)).toEqual([]);
    };
    await shows({ ...certificate.backups, goneAt, oldestRestorableAt, proof }, say.backups.purged);
    await page.getByText(`${set} · ${epoch}`).waitFor();
    await page.getByText(say.backups.inUse).waitFor();
    await shows({ ...certificate.backups, overdue: true }, say.backups.overdue);
    await visitor.leave();
  });
});
