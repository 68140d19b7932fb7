import type { QuestionAnswer } from "@pro-talent/schemas/analysts/calls";
import { useTranslation } from "react-i18next";

import { BarChart } from "../../../ui/charts/bar-chart.tsx";
import { isolated } from "../../isolated.ts";
import { useAnswerNames } from "../questions/answer-names.ts";
import { ShortTable } from "./short-table.tsx";
import type { Chart } from "./work-queries.ts";
import { useWorkTexts } from "./work-texts.ts";

type PartProps<Kind extends QuestionAnswer["kind"]> = {
  answer: Extract<QuestionAnswer, { kind: Kind }>;
  chart: Chart["kind"];
  title: string;
};

const useBarTexts = (title: string) => {
  const { t } = useTranslation("analyst-work");
  return {
    plot: title,
    explore: t("explore"),
    showTable: t("showTable"),
    value: t("answers.visitorsColumn"),
  };
};

/** Visitors by one property; groups that are not named are drawn together, as an outline. */
function Groups({ answer: { groups, others, total }, chart, title }: PartProps<"groups">) {
  const { t } = useTranslation("analyst-work");
  const { number } = useWorkTexts();
  const texts = useBarTexts(title);
  const visitors = (count: number): string =>
    t("answers.visitors", { count, shown: number(count) });
  const known = useAnswerNames();
  const nameOf = (name: string): string => (name === "" ? t("answers.none") : known(name));
  const [first] = groups;
  if (total === null) return <p>{t("answers.tooFew")}</p>;
  if (chart === "figure")
    return (
      <p className="work-figure">
        <span>{number(total.visitors)}</span> {t("answers.inDays", { count: total.visitors })}
      </p>
    );
  const bars = [
    ...groups.map(({ name, visitors: value }) => ({ id: name, label: nameOf(name), value })),
    ...(others === null
      ? []
      : [{ id: "\u0000", label: t("answers.others"), value: others.visitors, doubtful: true }]),
  ];
  if (chart === "table")
    return (
      <ShortTable
        title={title}
        columns={[t("answers.group"), t("answers.visitorsColumn"), t("answers.amount")]}
        rows={[
          ...groups.map((group) => [nameOf(group.name), group.visitors, group.amount]),
          ...(others === null ? [] : [[t("answers.others"), others.visitors, others.amount]]),
        ]}
      />
    );
  return (
    <BarChart
      texts={{
        ...texts,
        label: t("answers.group"),
        sentence:
          first === undefined
            ? t("answers.total", { shown: visitors(total.visitors) })
            : t("answers.groups", {
                name: isolated(nameOf(first.name)),
                shown: visitors(first.visitors),
              }),
      }}
      bars={bars}
      formatValue={number}
    />
  );
}

/** Visitors who came so far; each step is a part of the one before. */
function Steps({ answer: { steps }, chart, title }: PartProps<"steps">) {
  const { t } = useTranslation("analyst-work");
  const nameOf = useAnswerNames();
  const { number } = useWorkTexts();
  const texts = useBarTexts(title);
  const visitors = (count: number): string =>
    t("answers.visitors", { count, shown: number(count) });
  const [first, last] = [steps[0]?.visitors ?? null, steps.at(-1)?.visitors ?? null];
  if (first === null) return <p>{t("answers.tooFew")}</p>;
  if (chart === "table")
    return (
      <ShortTable
        title={title}
        columns={[t("answers.step"), t("answers.visitorsColumn")]}
        rows={steps.map(({ name, visitors: count }) => [
          nameOf(name),
          count ?? t("answers.withheldCell"),
        ])}
      />
    );
  const sentence =
    last === null
      ? t("answers.stepsWithheld", { first: visitors(first) })
      : t("answers.steps", { first: visitors(first), last: number(last) });
  return (
    <BarChart
      texts={{ ...texts, label: t("answers.step"), sentence }}
      bars={steps.flatMap(({ name, visitors: count }) =>
        count === null ? [] : [{ id: name, label: nameOf(name), value: count }],
      )}
      formatValue={number}
    />
  );
}

/** Visitors of a first week, and how many of them came again. */
function Cohorts({ answer: { cohorts }, title }: PartProps<"cohorts">) {
  const { t } = useTranslation("analyst-work");
  const { day } = useWorkTexts();
  const weeks = Math.max(0, ...cohorts.map(({ returned }) => returned.length));
  if (cohorts.length === 0) return <p>{t("answers.tooFew")}</p>;
  return (
    <>
      <p className="tile__sentence">{t("answers.cohorts", { count: cohorts.length })}</p>
      <ShortTable
        title={title}
        columns={[
          t("answers.week"),
          t("answers.visitorsColumn"),
          ...Array.from({ length: weeks }, (_, index) => t("answers.after", { count: index + 1 })),
        ]}
        rows={cohorts.map(({ week, visitors, returned }) => [
          day(week),
          visitors,
          ...Array.from({ length: weeks }, (_, index) => {
            const count = returned[index];
            return count === null ? t("answers.withheldCell") : (count ?? "");
          }),
        ])}
      />
    </>
  );
}

/** Whether something is missing since it would be about too few visitors. */
export function isPartlyWithheld(answer: QuestionAnswer): boolean {
  if (answer.kind === "groups") return answer.others !== null;
  if (answer.kind === "steps") return answer.steps.some(({ visitors }) => visitors === null);
  return answer.cohorts.some(({ returned }) => returned.includes(null));
}

type AnswerProps = { answer: QuestionAnswer; chart: Chart["kind"]; title: string };

/** What a ready-made question answered, as it is drawn in a tile. */
export function QuestionAnswerView({ answer, chart, title }: AnswerProps) {
  switch (answer.kind) {
    case "groups":
      return <Groups answer={answer} chart={chart} title={title} />;
    case "steps":
      return <Steps answer={answer} chart={chart} title={title} />;
    case "cohorts":
      return <Cohorts answer={answer} chart={chart} title={title} />;
  }
}
