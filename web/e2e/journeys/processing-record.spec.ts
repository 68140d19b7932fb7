import { readFileSync } from "node:fs";

import { ProcessingRecord } from "@pro-talent/schemas/privacy/processing-record";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { exampleAccount } from "../account-answers.ts";
import { faultsAtWidths, visitAccount } from "../account-visitor.ts";
import { answerCalls } from "../answer-calls.ts";
import { type Stack, startPages } from "../fixtures.ts";
import { texts } from "../texts.ts";

/** The record of this release; the journey answers the call with it. */
const file = new URL("../../../services/ledger/domains/processing/record.json", import.meta.url);
const record = ProcessingRecord.parse(JSON.parse(readFileSync(file, "utf8")));
/** A release in which nothing searches the tables yet. */
const lacking = {
  activities: record.activities.map((activity) => ({
    ...activity,
    assets: activity.assets.map((asset) => ({ ...asset, scanner: null })),
  })),
};
const path = "/console/privacy/processing";

let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

async function openAs(role: "officer" | "administrator", language: "en" | "he", answer: object) {
  const colorScheme = language === "en" ? ("light" as const) : ("dark" as const);
  return await visitAccount(stack, path, {
    language,
    colorScheme,
    prepare: (answers) => {
      answers.account = { ...exampleAccount, roles: ["holder", role], factor: true };
    },
    alsoAnswer: (context) =>
      answerCalls(context, "/api/privacy/officer/processing-record", (call) =>
        call.fulfill({ json: answer }),
      ),
  });
}

describe.each(["en", "he"] as const)("in %s", (language) => {
  const { processing: t, account } = texts[language];

  test("a privacy officer reads what is stored for an activity, and what a release lacks", async () => {
    const { page, visitor } = await openAs("officer", language, lacking);
    await page.getByRole("heading", { level: 1, name: t.title }).waitFor();
    const newsletter = record.activities.find(({ id }) => id === "newsletter");
    const name = newsletter?.name[language] ?? "";
    await page.getByRole("link", { name, exact: true }).press("Enter");
    const section = page.getByRole("region", { name, exact: true });
    expect(await section.textContent()).toContain(newsletter?.purpose[language]);
    // The link moves the focus to the section, away from what is pressed before.
    await expect
      .poll(() => section.evaluate((part) => part.contains(document.activeElement)))
      .toBe(true);
    await section.locator("summary").press("Enter");
    const row = section.getByRole("row", { name: "Postgres ledger.newsletter_subscriber" });
    expect(await row.textContent()).toContain("SubscriberErased");
    expect(await row.textContent()).toContain(t.missing);
    expect(await faultsAtWidths(page)).toEqual([]);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });

  test("a release without data about people says so", async () => {
    const { page, visitor } = await openAs("officer", language, { activities: [] });
    await page.getByText(t.empty.title).waitFor();
    expect(await faultsAtWidths(page)).toEqual([]);
    await visitor.leave();
  });

  test("an administrator, who is no privacy officer, finds no record", async () => {
    const { page, visitor } = await openAs("administrator", language, record);
    await page.getByRole("heading", { level: 1, name: account.notAllowed.title }).waitFor();
    expect(await page.locator(".processing").count()).toBe(0);
    await visitor.leave();
  });
});
