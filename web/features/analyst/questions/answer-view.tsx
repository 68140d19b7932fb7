import type { QuestionName } from "@pro-talent/schemas/analysts/questions";
import { useTranslation } from "react-i18next";

import type { CallAnswer } from "../../../api-client/request.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { BarChart } from "../../../ui/charts/bar-chart.tsx";
import { ReadingTable } from "../../../ui/reading-table/reading-table.tsx";
import { isolated } from "../../isolated.ts";
import { useAnswerNames } from "./answer-names.ts";

type Answer = CallAnswer<"POST /api/console/analyst/questions/:question">;
type Of<Kind extends Answer["kind"]> = Extract<Answer, { kind: Kind }>;
type Part<Kind extends Answer["kind"]> = { question: QuestionName; answer: Of<Kind> };

const useNumber = () => {
  const format = new Intl.NumberFormat(useLanguage());
  return (value: number) => format.format(value);
};

function Groups({ question, answer: { groups, others, total } }: Part<"groups">) {
  const { t } = useTranslation("analyst-questions");
  const nameOf = useAnswerNames();
  const number = useNumber();
  const amount = t(`questions.${question}.amount`);
  const [first] = groups.toSorted((one, other) => other.amount - one.amount);
  const sentence =
    first === undefined
      ? t("allWithheld")
      : t("most", { name: isolated(nameOf(first.name)), shown: number(first.amount), amount });
  const named = groups.map((group) => ({ ...group, id: group.name, label: nameOf(group.name) }));
  const rest = others === null ? [] : [{ ...others, id: "", label: t("others") }];
  return (
    <>
      <BarChart
        texts={{
          sentence,
          plot: t(`questions.${question}.title`),
          explore: t("explore"),
          showTable: t("showTable"),
          label: t("group"),
          value: amount,
        }}
        bars={[...named, ...rest].map((bar) => ({
          id: bar.id,
          label: bar.label,
          value: bar.amount,
          doubtful: bar.id === "",
        }))}
        formatValue={number}
      />
      <p className="questions__withheld">
        {total === null
          ? t("totalWithheld")
          : t("total", { amount: number(total.amount), visitors: number(total.visitors) })}{" "}
        {others !== null && t("othersWhy")}
      </p>
    </>
  );
}

function Steps({ question, answer }: Part<"steps">) {
  const { t } = useTranslation("analyst-questions");
  const nameOf = useAnswerNames();
  const number = useNumber();
  const seen = answer.steps.filter(({ visitors }) => visitors !== null);
  const [first, last] = [seen[0], seen.at(-1)];
  return (
    <>
      <BarChart
        texts={{
          sentence:
            first === undefined || last === undefined
              ? t("allWithheld")
              : t("reached", {
                  from: number(first.visitors ?? 0),
                  shown: number(last.visitors ?? 0),
                  name: nameOf(last.name),
                }),
          plot: t(`questions.${question}.title`),
          explore: t("explore"),
          showTable: t("showTable"),
          label: t("step"),
          value: t("visitors"),
        }}
        bars={seen.map(({ name, visitors }) => ({
          id: name,
          label: nameOf(name),
          value: visitors ?? 0,
        }))}
        formatValue={number}
      />
      {seen.length < answer.steps.length && (
        <p className="questions__withheld">
          {t("stepsWithheld", {
            names: answer.steps
              .filter(({ visitors }) => visitors === null)
              .map(({ name }) => nameOf(name))
              .join(", "),
          })}
        </p>
      )}
    </>
  );
}

/** A region that scrolls has to be reached by the keyboard. */
const scrollRegion = { role: "region", tabIndex: 0 } as const;

function Cohorts({ question, answer: { cohorts } }: Part<"cohorts">) {
  const { t } = useTranslation("analyst-questions");
  const language = useLanguage();
  const number = useNumber();
  const day = new Intl.DateTimeFormat(language, {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });
  const weeks = Math.max(...cohorts.map(({ returned }) => returned.length));
  const after = Array.from({ length: weeks }, (_, at) => ({
    id: String(at),
    header: t("weekAfter", { number: at + 1 }),
    numeric: true,
  }));
  return (
    <>
      <div className="questions__scroll" aria-label={t("cohorts")} {...scrollRegion}>
        <ReadingTable
          caption={t(`questions.${question}.title`)}
          columns={[
            { id: "week", header: t("week") },
            { id: "visitors", header: t("visitors"), numeric: true },
            ...after,
          ]}
          rows={cohorts.map(({ week, visitors, returned }) => ({
            id: week,
            cells: {
              week: day.format(Date.parse(week)),
              visitors: number(visitors),
              ...Object.fromEntries(
                returned.map((count, at) => [
                  String(at),
                  count === null ? t("withheld") : number(count),
                ]),
              ),
            },
          }))}
        />
      </div>
      <p className="questions__withheld">{t("cohortsWithheld")}</p>
    </>
  );
}

/** The answer to a question in its form, with what is withheld in words. */
export function AnswerView({ question, answer }: { question: QuestionName; answer: Answer }) {
  if (answer.kind === "groups") return <Groups question={question} answer={answer} />;
  if (answer.kind === "steps") return <Steps question={question} answer={answer} />;
  return <Cohorts question={question} answer={answer} />;
}
