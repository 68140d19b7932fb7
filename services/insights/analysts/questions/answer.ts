import { randomUUID } from "node:crypto";

import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { type QuestionAnswer, queryProblems } from "@pro-talent/schemas/analysts/calls";
import { analystLimits as limit } from "@pro-talent/schemas/analysts/limits";
import { questionKinds, type QuestionName } from "@pro-talent/schemas/analysts/questions";
import { z } from "zod";

import { type AnalystsContext, type Asker, askAsAnalyst } from "../ask-as-analyst.ts";
import { type QueryEngine, tableOf } from "../run-query.ts";
import { countedSql, funnelSteps, parts, questionSql, weeksAfter } from "./sql.ts";
import {
  exact,
  type Fineness,
  statedGroups,
  withholdCohorts,
  withholdSteps,
} from "./withholding.ts";

type AskedQuestion = {
  readonly question: QuestionName;
  readonly from: string;
  readonly to: string;
};

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Answers a ready-made question: it is a query like any other, of which too small groups are withheld.
 * @param fineness of its numbers; coarser where other results stand beside it
 */
export async function answerQuestion(
  context: AnalystsContext,
  asker: Asker,
  { question, from, to, queryId = randomUUID() }: AskedQuestion & { readonly queryId?: string },
  fineness: Fineness = exact,
): Promise<QuestionAnswer> {
  requireRange({ from, to });
  const ask = (text: string, id: string) => {
    const asked = { queryId: id, text, parameters: { from, to }, format: "json" } as const;
    return askAsAnalyst(context, asker, { ...asked, isCounting: true });
  };
  const counted = countedSql[question];
  const areCounted = () => areDaysCounted(context.engineOf(asker.analystId), { from, to });
  const added =
    counted !== undefined && (await areCounted()) ? await ask(counted, queryId) : undefined;
  // An erasure may have dropped a day of what was added up: then rows are counted, as where it was not there before.
  const isWhole = added !== undefined && (await areCounted());
  const { bytes } = isWhole
    ? added
    : await ask(questionSql[question], added === undefined ? queryId : randomUUID());
  const { data } = tableOf(bytes);
  switch (questionKinds[question]) {
    case "groups":
      return groupsAnswer(Groups.parse(data), fineness);
    case "steps":
      return stepsAnswer(Steps.parse(data), fineness);
    case "cohorts":
      return cohortsAnswer(Returns.parse(data), fineness);
  }
}

const Days = z.tuple([z.object({ days: z.coerce.number() })]);

/** Whether visitors of all these days are counted in advance. @throws ProblemError `upstream_unavailable` */
async function areDaysCounted(
  { parser, database }: QueryEngine,
  range: { readonly from: string; readonly to: string },
): Promise<boolean> {
  try {
    const result = await parser.query({
      query: `SELECT count() AS days FROM \`${database}\`.uncounted_days WHERE day BETWEEN {from:Date} AND {to:Date}`,
      query_params: range,
      format: "JSONEachRow",
    });
    return Days.parse(await result.json())[0].days === 0;
  } catch (cause) {
    throw new ProblemError("upstream_unavailable", { cause });
  }
}

/** @throws ProblemError `range_too_long` */
export function requireRange({ from, to }: { readonly from: string; readonly to: string }): void {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs;
  if (!(days >= 0) || days >= limit.questionDaysMax)
    throw new ProblemError(queryProblems.range_too_long);
}

const Count = z.int();
const Groups = z.array(z.tuple([z.string(), Count, Count, Count]));
const Steps = z.array(z.array(Count));
/** Week of the first visit, weeks after it, visitors. */
const Returns = z.array(z.tuple([z.string(), Count, Count]));

function groupsAnswer(rows: z.output<typeof Groups>, fineness: Fineness): QuestionAnswer {
  const of = (part: number) =>
    rows.flatMap(([name, own, visitors, amount]) =>
      own === part ? [{ name, visitors, amount }] : [],
    );
  const [total = { visitors: 0, amount: 0 }] = of(parts.total);
  const [rest] = of(parts.rest);
  return { kind: "groups", ...statedGroups(of(parts.group), total, { ...fineness, rest }) };
}

function stepsAnswer([counts = []]: z.output<typeof Steps>, fineness: Fineness): QuestionAnswer {
  const visitors = withholdSteps(counts, fineness);
  const steps = funnelSteps.map((name, at) => ({ name, visitors: visitors[at] ?? null }));
  return { kind: "steps", steps };
}

function cohortsAnswer(rows: z.output<typeof Returns>, fineness: Fineness): QuestionAnswer {
  const weeks = [...new Set(rows.map(([week]) => week))];
  const cohorts = weeks.map((week) => {
    const own = rows.filter(([first]) => first === week);
    const after = (weeksLater: number) => own.find(([, later]) => later === weeksLater)?.[2] ?? 0;
    const returned = Array.from({ length: weeksAfter }, (_, at) => after(at + 1));
    return { week, visitors: after(0), returned };
  });
  return { kind: "cohorts", cohorts: withholdCohorts(cohorts, fineness) };
}
