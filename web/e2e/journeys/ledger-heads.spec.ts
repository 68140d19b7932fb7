import { headsPath, LedgerHeads } from "@pro-talent/schemas/ledger/heads";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type Stack, startPages, type Visitor } from "../fixtures.ts";
import { ForcedAnswers, takeReports } from "../forced-answers.ts";
import { accessibilityFaults, faultFinder, overflowFaults, targetFaults } from "../page-faults.ts";
import { consentGiven } from "../site-paths.ts";
import { texts } from "../texts.ts";

let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

const key = "7".repeat(64);
const headAt = (position: number, at: string) => ({
  epoch: 1,
  position,
  hash: String(position % 10).repeat(64),
  at,
  keyId: key,
  signature: "a".repeat(128),
});
const body = LedgerHeads.parse({
  algorithm: "Ed25519",
  keys: [key],
  heads: [headAt(1234, "2026-11-22T10:00:00.000Z"), headAt(1200, "2026-11-22T09:00:00.000Z")],
});

async function expectNoFault(page: Page): Promise<void> {
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect([
      ...(await accessibilityFaults(page)),
      ...(await overflowFaults(page)),
      ...(await targetFaults(page)),
    ]).toEqual([]);
  }
}

describe.each(["en", "he"] as const)("the page of signed heads, in %s", (language) => {
  const say = texts[language].heads;
  let visitor: Visitor;
  let answers: ForcedAnswers;
  beforeAll(async () => {
    visitor = await stack.visit({ language, before: `${consentGiven}${faultFinder}` });
    answers = new ForcedAnswers();
    await takeReports(visitor.page);
    await answers.takeOver(visitor.page, headsPath);
    await visitor.open("/about");
    await visitor.page.getByRole("link", { name: texts[language].about.team.heads.link }).click();
  });
  afterAll(() => visitor.leave());

  test("says that it loads, says when it could not, and tries again", async () => {
    const { page } = visitor;
    await page.getByText(say.loading).waitFor();
    await expectNoFault(page);
    await answers.cut();
    await page.getByText(say.failed).waitFor();
    await expectNoFault(page);
    await page.getByRole("button", { name: say.retry }).click();
    await answers.answer({ status: 200, body: { ...body, keys: [], heads: [] } });
    await page.getByText(say.none).waitFor();
    await expectNoFault(page);
  });

  test("shows the newest heads, and the key that signed them", async () => {
    const { page } = visitor;
    await page.reload();
    await answers.answer({ status: 200, body });
    const table = page.getByRole("table", { name: say.table.caption });
    await table.waitFor();
    expect(await table.locator("code").allInnerTexts()).toEqual(body.heads.map(({ hash }) => hash));
    expect(await page.locator(".ledger-heads__key").innerText()).toBe(key);
    await expectNoFault(page);
  });
});
