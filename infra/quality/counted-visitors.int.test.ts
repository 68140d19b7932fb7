import { randomUUID } from "node:crypto";

import { deleteWhere } from "@pro-talent/collector/erase/delete-where";
import { dropDay, dropDaysOf, storedCounts } from "@pro-talent/collector/erase/drop-days";
import { storeDays } from "@pro-talent/collector/store-days";
import { answerQuestion } from "@pro-talent/insights/analysts/questions/answer";
import { countedSql } from "@pro-talent/insights/analysts/questions/sql";
import {
  type Insights,
  openInsightsUnderTest,
} from "@pro-talent/insights/testing/insights-under-test";
import { QuestionAnswer } from "@pro-talent/schemas/analysts/calls";
import { v7 as uuidV7 } from "uuid";
import { afterAll, beforeAll, expect, it } from "vitest";

let insights: Insights;
beforeAll(async () => {
  insights = await openInsightsUnderTest();
});
afterAll(() => insights.close());

const visitors = Array.from({ length: 40 }, () => randomUUID());
const dayOf = (at: number) => new Date(Date.UTC(2026, 0, 12 + at)).toISOString().slice(0, 10);
const last = 4;
const ranges = [
  [0, last],
  [2, 2],
].map(([from = 0, to = 0]) => ({ from: dayOf(from), to: dayOf(to) }));

const questions = Object.keys(countedSql);

/** Each visitor comes in other ways on other days. */
function visitOf(who: number, at: number): object[] {
  const pages = ["/pricing", "/join", "/newsletter/confirmed", "/about"];
  const seen = pages.filter((_, page) => (who * 7 + at * 5 + page * 3) % 4 < 2);
  const started = Date.parse(`${dayOf(at)}T08:00:00.000Z`);
  const session = {
    session_id: uuidV7(),
    visitor_id: visitors[who],
    session_started_at: new Date(started).toISOString(),
    received_at: new Date(started).toISOString(),
    kind: "page_view",
    channel: ["search", "social", "direct"][(who + at * 2) % 3],
    utm_campaign: who % 4 === 0 ? `campaign-${at % 2}` : "",
    is_bot: who % 13 === 12 ? 1 : 0,
  };
  return ["/", ...seen].map((page, minute) => {
    const occurred_at = new Date(started + minute * 60_000).toISOString();
    return { ...session, event_id: uuidV7(), page, occurred_at };
  });
}

it("questions answer the same where visitors are counted in advance: at first, when more arrives late, and after an erasure", async () => {
  const analyst = insights.holder(0, { roles: ["holder", "analyst"] });
  const store = { clickhouse: insights.clickhouse, database: insights.database };
  const storeAll = () => storeDays(store, { from: dayOf(0), to: dayOf(last) });
  const ask = async (question: string, payload: object) => {
    const url = `/api/console/analyst/questions/${question}`;
    const headers = { authorization: `Bearer ${analyst.token}` };
    const answer = await insights.app.inject({ method: "POST", url, headers, payload });
    return QuestionAnswer.parse(answer.json());
  };
  const askAll = async () => {
    const before = insights.ledger.records.length;
    const answers: unknown[] = [];
    for (const range of ranges)
      for (const question of questions)
        answers.push({ question, range, answer: await ask(question, range) });
    const counted = insights.ledger.records
      .slice(before)
      .filter(({ views }) => views.includes("visitors_daily"));
    return { answers, counted: counted.length / ranges.length };
  };
  const visits = Array.from({ length: last + 1 }, (_, at) =>
    visitors.flatMap((_visitor, who) => ((who * 11 + at * 13) % 6 < 3 ? visitOf(who, at) : [])),
  );
  await insights.insert("events_in", visits.flat());

  const computed = await askAll();
  expect(computed.counted).toBe(0);
  expect(await storeAll()).toBeGreaterThan(0);
  expect(await askAll()).toEqual({ answers: computed.answers, counted: questions.length });

  // On a day in the middle: those who came later were here before.
  await insights.insert(
    "events_in",
    visitors.flatMap((_, who) => visitOf(who, 1)),
  );
  await storeAll();
  const late = await askAll();
  expect(late.answers).not.toEqual(computed.answers);
  await insights.clickhouse.command({ query: "TRUNCATE TABLE stored_visitors" });
  expect(await askAll()).toEqual({ answers: late.answers, counted: 0 });

  await storeAll();
  // A day is dropped between the look at the days that are counted and the question.
  const [range] = ranges;
  const question = { question: "channels", from: dayOf(0), to: dayOf(last) } as const;
  const asker = { analystId: analyst.accountId, channel: "console" } as const;
  const dropping = {
    ...insights.analysts,
    usedBy: async (analystId: string) => {
      await dropDay(store, storedCounts, dayOf(2));
      return await insights.analysts.usedBy(analystId);
    },
  };
  expect(late.answers).toContainEqual({
    question: question.question,
    range,
    answer: QuestionAnswer.parse(await answerQuestion(dropping, asker, question)),
  });

  await storeAll();
  const erased = visitors.slice(0, 7);
  for (const table of ["events", "sessions_agg"]) {
    const condition = "visitor_id IN {ids:Array(UUID)}";
    await deleteWhere(store, table, { condition, params: { ids: erased } });
  }
  await dropDaysOf(store, erased);
  const without = await askAll();
  expect(without.answers).not.toEqual(late.answers);
  await storeAll();
  expect(await askAll()).toEqual({ answers: without.answers, counted: questions.length });
  expect(await storeAll()).toBe(0);
}, 120_000);
