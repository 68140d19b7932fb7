import { inactivityCalls } from "@pro-talent/schemas/privacy/inactivity";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { exampleAccount } from "../account-answers.ts";
import { faultsAtWidths, visitAccount } from "../account-visitor.ts";
import { answerCalls } from "../answer-calls.ts";
import { type Stack, startPages } from "../fixtures.ts";
import { texts } from "../texts.ts";

const path = "/console/privacy/inactive";
const requestId = "3f1d2c4b-5a69-4788-9b0a-1c2d3e4f5a6b";
const account = (digit: number, change: object) => ({
  accountId: `${digit}f8fad5b-d9cb-469f-a165-70867728950e`,
  activeOn: "2023-02-10",
  stage: "noted",
  plannedOn: "2026-02-11",
  exemption: null,
  requestId: null,
  ...change,
});
const answer = inactivityCalls["GET /api/console/privacy/inactive"].answer.parse({
  accounts: [
    account(1, { stage: "requested", requestId }),
    account(2, { stage: "second-sent" }),
    account(3, { stage: "first-sent" }),
    account(4, {}),
    account(5, { stage: "undeliverable" }),
    account(6, { stage: "exempt", exemption: "payment-open" }),
  ],
  total: 240,
});

let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

type Reply = { status?: number; json: object };

async function openAs(role: "officer" | "administrator", language: "en" | "he", reply: Reply) {
  const colorScheme = language === "en" ? ("light" as const) : ("dark" as const);
  return await visitAccount(stack, path, {
    language,
    colorScheme,
    prepare: (answers) => {
      answers.account = { ...exampleAccount, roles: ["holder", role], factor: true };
    },
    alsoAnswer: (context) => answerCalls(context, `/api${path}`, (call) => call.fulfill(reply)),
  });
}

describe.each(["en", "he"] as const)("in %s", (language) => {
  const { "inactive-accounts": t, account: shared } = texts[language];

  test("a privacy officer sees which accounts are inactive, where their notices stand, and since when", async () => {
    const { page, visitor } = await openAs("officer", language, { json: answer });
    const row = (digit: number) =>
      page.getByRole("row", { name: new RegExp(`^${digit}f8fad5b`, "u") });
    await row(6).waitFor();
    expect(await row(6).textContent()).toContain(t.exemptions["payment-open"]);
    expect(await row(5).textContent()).toContain(t.undated);
    const link = row(1).getByRole("link", { name: t.stages.requested });
    expect(await link.getAttribute("href")).toContain(`/console/privacy/requests/${requestId}`);
    expect(await page.getByText("240").count()).toBe(1);
    expect(await faultsAtWidths(page)).toEqual([]);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });

  test("none, a failure, and who is not allowed are said in words", async () => {
    const none = await openAs("officer", language, { json: { accounts: [], total: 0 } });
    await none.page.getByText(t.empty.title).waitFor();
    expect(await faultsAtWidths(none.page)).toEqual([]);
    await none.visitor.leave();
    const other = await openAs("administrator", language, { json: answer });
    await other.page.getByRole("heading", { level: 1, name: shared.notAllowed.title }).waitFor();
    await other.visitor.leave();
  });
});
