import type { QuestionAnswer } from "@pro-talent/schemas/analysts/calls";
import type { QuestionName } from "@pro-talent/schemas/analysts/questions";
import { channels } from "@pro-talent/schemas/analytics/kinds";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { BarChart } from "../../ui/charts/bar-chart.tsx";
import { isolated } from "../isolated.ts";
import type { ResultChart } from "./result/chart-of.ts";
import { ShortTable } from "./result/short-table.tsx";

import "./result/result-chart.css";

type AnswerProps = {
  question: QuestionName;
  answer: QuestionAnswer;
  /** How it is drawn, as far as its form allows. */
  chart: ResultChart["kind"];
  /** Names the chart. */
  title: string;
  /** Visitors of the smallest group that is named. */
  min: number;
};
type Part<Kind extends QuestionAnswer["kind"]> = AnswerProps & {
  answer: Extract<QuestionAnswer, { kind: Kind }>;
};

const steps = ["visit", "pricing", "join", "checkout-done"] as const;
const decisions = ["granted", "rejected", "withdrawn", "dnt", "gpc"] as const;
const isDay = (name: string): boolean => /^\d{4}-\d{2}-\d{2}$/u.test(name);

/** The words for what is stored as a code or a day, and how numbers are written. */
function useWords() {
  const { t } = useTranslation(["analyst-questions", "traffic"]);
  const language = useLanguage();
  const numbers = new Intl.NumberFormat(language);
  const days = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
  const nameOf = (name: string): string => {
    if (name === "") return t("unknown");
    if (isDay(name)) return days.format(Date.parse(name));
    const channel = channels.find((one) => one === name);
    if (channel !== undefined) return t(`traffic:channelNames.${channel}`);
    const step = steps.find((one) => one === name);
    if (step !== undefined) return t(`steps.${step}`);
    const decision = decisions.find((one) => one === name);
    return decision === undefined ? name : t(`decisions.${decision}`);
  };
  return {
    nameOf,
    number: (value: number): string => numbers.format(value),
    /** Words of a sentence where they stand alone. */
    heading: (words: string): string =>
      words.slice(0, 1).toLocaleUpperCase(language) + words.slice(1),
  };
}

function useBarTexts(title: string) {
  const { t } = useTranslation("analyst-questions");
  return { plot: title, explore: t("explore"), showTable: t("showTable") };
}

/** Groups by their amount; those that are not named are drawn together, as an outline. */
function Groups({ question, answer, chart, title, min }: Part<"groups">) {
  const { t } = useTranslation("analyst-questions");
  const { nameOf, number, heading } = useWords();
  const texts = useBarTexts(title);
  const { groups, others, total } = answer;
  const amount = t(`questions.${question}.amount`);
  const [first] = groups.toSorted((one, other) => other.amount - one.amount);
  const all = [
    ...groups.map((group) => ({ ...group, id: group.name, label: nameOf(group.name) })),
    ...(others === null ? [] : [{ ...others, id: "\u0000", label: t("others"), doubtful: true }]),
  ];
  const sentence =
    first === undefined
      ? t("allWithheld", { min })
      : t("most", { name: isolated(nameOf(first.name)), shown: number(first.amount), amount });
  return (
    <>
      {chart === "table" && (
        <ShortTable
          title={title}
          columns={[t("group"), t("visitors"), heading(amount)]}
          rows={all.map((group) => [group.label, group.visitors, group.amount])}
        />
      )}
      {chart !== "table" && chart !== "figure" && (
        <BarChart
          texts={{ ...texts, sentence, label: t("group"), value: heading(amount) }}
          bars={all.map(({ amount: value, ...bar }) => ({ ...bar, value }))}
          formatValue={number}
        />
      )}
      {chart === "figure" && total !== null ? (
        <dl className="result-figures">
          <div>
            <dt>{heading(amount)}</dt>
            <dd>{number(total.amount)}</dd>
          </div>
          <div>
            <dt>{t("visitors")}</dt>
            <dd>{number(total.visitors)}</dd>
          </div>
        </dl>
      ) : (
        <p className="answer__note">
          {total === null
            ? t("totalWithheld", { min })
            : t("total", { amount: number(total.amount), visitors: number(total.visitors) })}{" "}
          {others !== null && t("othersWhy", { min })}
        </p>
      )}
    </>
  );
}

/** Visitors who came so far; each step is a part of the one before. */
function Steps({ answer, chart, title, min }: Part<"steps">) {
  const { t } = useTranslation("analyst-questions");
  const { nameOf, number } = useWords();
  const texts = useBarTexts(title);
  const seen = answer.steps.flatMap(({ name, visitors }) =>
    visitors === null ? [] : [{ id: name, label: nameOf(name), value: visitors }],
  );
  const [first, last] = [seen[0], seen.at(-1)];
  const withheld = answer.steps.filter(({ visitors }) => visitors === null);
  const sentence =
    first === undefined || last === undefined
      ? t("allWithheld", { min })
      : t("reached", {
          from: number(first.value),
          shown: number(last.value),
          name: isolated(last.label),
        });
  return (
    <>
      {chart === "table" ? (
        <ShortTable
          title={title}
          columns={[t("step"), t("visitors")]}
          rows={answer.steps.map(({ name, visitors }) => [nameOf(name), visitors ?? t("withheld")])}
        />
      ) : (
        <BarChart
          texts={{ ...texts, sentence, label: t("step"), value: t("visitors") }}
          bars={seen}
          formatValue={number}
        />
      )}
      {withheld.length > 0 && (
        <p className="answer__note">
          {t("stepsWithheld", { min, names: withheld.map(({ name }) => nameOf(name)).join(", ") })}
        </p>
      )}
    </>
  );
}

/** Visitors of a first week, and how many of them came again. */
function Cohorts({ answer: { cohorts }, title, min }: Part<"cohorts">) {
  const { t } = useTranslation("analyst-questions");
  const { nameOf } = useWords();
  const weeks = Math.max(0, ...cohorts.map(({ returned }) => returned.length));
  const after = Array.from({ length: weeks }, (_, at) => at);
  return (
    <>
      <ShortTable
        title={title}
        columns={[
          t("week"),
          t("visitors"),
          ...after.map((at) => t("weekAfter", { count: at + 1 })),
        ]}
        rows={cohorts.map(({ week, visitors, returned }) => [
          nameOf(week),
          visitors,
          ...after.map((at) => (returned[at] === null ? t("withheld") : (returned[at] ?? ""))),
        ])}
      />
      {cohorts.some(({ returned }) => returned.includes(null)) && (
        <p className="answer__note">{t("cohortsWithheld", { min })}</p>
      )}
    </>
  );
}

/** The answer to a question in its form, with what is withheld in words. */
export function AnswerView({ answer, ...props }: AnswerProps) {
  if (answer.kind === "groups") return <Groups {...props} answer={answer} />;
  if (answer.kind === "steps") return <Steps {...props} answer={answer} />;
  return <Cohorts {...props} answer={answer} />;
}
