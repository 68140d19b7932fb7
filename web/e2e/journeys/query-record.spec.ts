import { queryAuditCalls } from "@pro-talent/schemas/analysts/audit-calls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { exampleAccount } from "../account-answers.ts";
import { faultsAtWidths, visitAccount } from "../account-visitor.ts";
import { answerCalls } from "../answer-calls.ts";
import { type Stack, startPages } from "../fixtures.ts";
import { texts } from "../texts.ts";

const path = "/console/privacy/queries";
const api = "/api/console/privacy/analyst-queries";
const analysts = ["1c8d5a8f-0b62-4b70-9e3f-4b206dafae21", "2d8d5a8f-0b62-4b70-9e3f-4b206dafae21"];
const query = (at: number, change: object = {}) => ({
  queryId: `0f5f7f1e-4f0c-4c5e-9d3e-2f9f9b2f5f1${at}`,
  analystId: analysts[at % 2],
  channel: "console",
  views: ["sessions", "page_views"],
  format: "rows",
  outcome: "shown",
  problem: null,
  rowsRead: 12_345,
  resultBytes: 400,
  milliseconds: 38,
  ranAt: `2026-03-02T09:0${9 - at}:00.000Z`,
  textHash: "0".repeat(64),
  isTextErased: false,
  ...change,
});
const queries = [
  query(0),
  query(1, { outcome: "refused", problem: "query_refused", views: [], rowsRead: null }),
  query(2, { isTextErased: true }),
];
const text = "SELECT channel, count()\nFROM sessions\nWHERE day >= {from:Date}\nGROUP BY channel";

let stack: Stack;
beforeAll(async () => {
  stack = await startPages();
});
afterAll(() => stack.stop());

async function openAs(role: "officer" | "analyst", language: "en" | "he", all: typeof queries) {
  const list = queryAuditCalls["GET /api/console/privacy/analyst-queries"].answer;
  const reads: string[] = [];
  const { page, visitor } = await visitAccount(stack, path, {
    language,
    colorScheme: language === "en" ? "light" : "dark",
    prepare: (answers) => {
      answers.account = { ...exampleAccount, roles: ["holder", role], factor: true };
    },
    alsoAnswer: async (context) => {
      await answerCalls(context, api, (call) => {
        const of = new URL(call.request().url()).searchParams.get("analystId");
        const shown = all.filter(({ analystId }) => of === null || analystId === of);
        return call.fulfill({ json: list.parse({ queries: shown, more: false }) });
      });
      const isReading = (asked: string) => asked.startsWith(api) && asked.endsWith("/read");
      await answerCalls(context, isReading, (call) => {
        reads.push(new URL(call.request().url()).pathname);
        return call.fulfill({ json: { text, parameters: { from: "2026-03-01" } } });
      });
    },
  });
  return { page, visitor, reads };
}

describe.each(["en", "he"] as const)("in %s", (language) => {
  const { "analyst-work": words, account: shared } = texts[language];
  const t = words.record;

  test("a privacy officer sees what analysts asked, reads one text, and looks at one analyst alone", async () => {
    const { page, visitor, reads } = await openAs("officer", language, queries);
    const rows = page.locator(".history__one");
    await rows.nth(2).waitFor();
    expect(await rows.nth(1).textContent()).toContain(words.history.outcomes.refused);
    expect(await rows.nth(2).textContent()).toContain(words.history.erased);
    expect(await rows.nth(2).getByRole("button").count()).toBe(0);
    expect(reads).toEqual([]);
    await rows.nth(0).getByRole("button").press("Enter");
    await rows.nth(0).getByText("GROUP BY channel").waitFor({ state: "attached" });
    await rows.nth(0).getByText(t.recorded).waitFor();
    expect(reads).toEqual([`${api}/${queries[0]?.queryId}/read`]);
    expect(await faultsAtWidths(page)).toEqual([]);
    await rows.nth(1).getByRole("link").press("Enter");
    await page.getByText(t.only).waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole("button", { name: t.all }).press("Enter");
    await expect.poll(() => rows.count()).toBe(3);
    expect(visitor.noise).toEqual([]);
    await visitor.leave();
  });

  test("none, and who is not allowed, are said in words", async () => {
    const none = await openAs("officer", language, []);
    await none.page.getByText(t.empty.title).waitFor();
    expect(await faultsAtWidths(none.page)).toEqual([]);
    await none.visitor.leave();
    const other = await openAs("analyst", language, queries);
    await other.page.getByRole("heading", { level: 1, name: shared.notAllowed.title }).waitFor();
    await other.visitor.leave();
  });
});
