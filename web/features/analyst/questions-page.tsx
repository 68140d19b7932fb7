import { analystLimits } from "@pro-talent/schemas/analysts/limits";
import { type QuestionName, questionKinds } from "@pro-talent/schemas/analysts/questions";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router-dom";

import { accountApi } from "../../api-client/account-api.ts";
import { queryAnswer } from "../../api-client/query-answer.ts";
import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { type DaysAsked, daysBefore, daysOf, periodIn, todayIn } from "../days-in-query.ts";
import { lazyPart } from "../lazy-part.tsx";
import { PeriodField } from "../period-field.tsx";
import { useViewTexts } from "../view-texts.ts";
import { isNothing } from "./analyst-calls.ts";
import { AnalystPages } from "./analyst-pages.tsx";

import "./questions-page.css";

/** The charts are half of the page's code. */
const AnswerView = lazyPart(async () => (await import("./answer-view.tsx")).AnswerView);

const names = Object.keys(questionKinds).filter(
  (name): name is QuestionName => name in questionKinds,
);

const questionQuery = (question: QuestionName, days: DaysAsked) =>
  queryOptions({
    queryKey: ["console", "analyst", "questions", question, days],
    queryFn: () =>
      queryAnswer(
        accountApi().call("POST /api/console/analyst/questions/:question", {
          params: { question },
          body: days,
        }),
      ),
    placeholderData: keepPreviousData,
  });

function Questions({ chosen }: { chosen: QuestionName }) {
  const { t } = useTranslation("analyst-questions");
  const [search] = useSearchParams();
  const addressOf = (name: QuestionName): string => {
    const next = new URLSearchParams(search);
    next.set("question", name);
    return `/console/analyst/questions?${next.toString()}`;
  };
  return (
    <nav aria-label={t("list")}>
      <ol className="questions__list">
        {names.map((name) => (
          <li key={name}>
            <Link
              to={addressOf(name)}
              aria-current={name === chosen ? "true" : undefined}
              preventScrollReset
            >
              {t(`questions.${name}.title`)}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/**
 * Questions that are asked often, answered without small groups. Days are in UTC, as in the views. Usual periods end
 * yesterday, as those of dashboards: what today has so far is not counted in advance and is no whole day.
 */
export function QuestionsPage() {
  const { t } = useTranslation("analyst-questions");
  const [search, setSearch] = useSearchParams();
  const question = names.find((name) => name === search.get("question")) ?? "channels";
  const today = todayIn("UTC");
  const days = daysOf(periodIn(search), daysBefore(today, 1));
  const query = useQuery(questionQuery(question, days));
  const { texts, describe } = useViewTexts(t("loading"));
  const skeleton = <Skeleton shape="block" count={2} />;
  const filter = {
    title: t("none.title"),
    body: t("none.body"),
    onClear: () => setSearch({ question }),
  };
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <AnalystPages />
      <div className="questions">
        <Questions chosen={question} />
        <div className="questions__answer">
          <h2>{t(`questions.${question}.title`)}</h2>
          <p className="questions__about">{t(`questions.${question}.about`)}</p>
          <PeriodField today={today} />
          <DataView
            query={query}
            texts={texts}
            skeleton={skeleton}
            isEmpty={isNothing}
            empty={{ title: t("none.title"), body: t("none.body") }}
            filter={search.has("period") || search.has("from") ? filter : undefined}
            describe={describe}
          >
            {(answer) => (
              <AnswerView
                question={question}
                answer={answer}
                chart="bar"
                min={analystLimits.groupVisitorsMin}
                title={t(`questions.${question}.title`)}
              />
            )}
          </DataView>
        </div>
      </div>
    </>
  );
}
