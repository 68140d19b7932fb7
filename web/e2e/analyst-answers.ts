import { analystLimits } from "@pro-talent/schemas/analysts/limits";
import { analystViews } from "@pro-talent/schemas/analysts/views";

import { visitAccount } from "./account-visitor.ts";
import { type AnsweredCall, answerCalls } from "./answer-calls.ts";
import type { Language, Stack } from "./fixtures.ts";

/** What the calls of analysts answer; by the last part of the path, what is answered instead. */
export class AnalystAnswers {
  readonly instead = new Map<string, { status: number; json: object } | "awaited">();
  readonly asked: (readonly [path: string, body: unknown])[] = [];
  rows: readonly (readonly (string | number | null)[])[] = [
    ["search", "2026-03-01", "42"],
    ["direct", "2026-03-02", "7"],
    ["<b>social</b>", "2026-03-03", null],
  ];
  readonly #held: AnsweredCall[] = [];

  #answers(last: string): object {
    if (last === "views")
      return {
        views: Object.entries(analystViews).map(([name, { summary, columns }]) => ({
          name,
          summary,
          columns: Object.entries(columns).map(([column, about]) => ({ name: column, ...about })),
        })),
        functions: ["count", "uniq", "sum"],
        limits: analystLimits,
      };
    if (last === "channels")
      return {
        kind: "groups",
        groups: [{ name: "search", visitors: 40, amount: 61 }],
        others: { visitors: 6, amount: 8 },
        total: { visitors: 46, amount: 69 },
      };
    if (last === "funnel")
      return {
        kind: "steps",
        steps: [
          { name: "visit", visitors: 40 },
          { name: "pricing", visitors: 11 },
          { name: "join", visitors: null },
        ],
      };
    if (last === "retention")
      return {
        kind: "cohorts",
        cohorts: [{ week: "2026-03-02", visitors: 20, returned: [9, null] }],
      };
    const columns = [
      { name: "channel", type: "LowCardinality(String)" },
      { name: "day", type: "Date" },
      { name: "visitors", type: "Nullable(UInt64)" },
    ];
    return [
      { meta: columns },
      ...this.rows.map((row) => ({ row })),
      { progress: { read_rows: 1000, read_bytes: 20_000 } },
    ];
  }

  async answer(route: AnsweredCall): Promise<void> {
    const request = route.request();
    const { pathname } = new URL(request.url());
    const last = pathname.split("/").at(-1) ?? "";
    this.asked.push([`${request.method()} ${pathname}`, request.postDataJSON()]);
    const instead = this.instead.get(last);
    if (instead === "awaited") this.#held.push(route);
    else if (instead !== undefined) await route.fulfill(instead);
    else if (request.method() === "DELETE") {
      await route.fulfill({ json: { status: "cancelled" } });
      const held = this.#held.shift();
      await held?.fulfill({ status: 409, json: { code: "query_cancelled" } });
    } else {
      const answer = this.#answers(last);
      const lines = Array.isArray(answer) ? answer : [answer];
      await route.fulfill({
        contentType: Array.isArray(answer) ? "application/x-ndjson" : "application/json",
        body: lines.map((line: unknown) => JSON.stringify(line)).join("\n"),
      });
    }
  }
}

/** An analyst at a page of the console, in English on light and in Hebrew on dark pages. */
export async function visitAnalyst(
  stack: Pick<Stack, "visit">,
  path: string,
  language: Language,
  answers = new AnalystAnswers(),
) {
  const visited = await visitAccount(stack, "/dashboard", {
    language,
    colorScheme: language === "en" ? "light" : "dark",
    permissions: ["clipboard-read", "clipboard-write"],
    prepare: (account) => {
      account.account = { ...account.account, roles: ["holder", "analyst"], factor: true };
    },
  });
  await answerCalls(
    visited.page.context(),
    (called) => called.startsWith("/api/console/analyst/"),
    (route) => answers.answer(route),
  );
  await visited.page.goto(path);
  return { ...visited, analyst: answers };
}
