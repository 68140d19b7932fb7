import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router-dom";

import { useLanguage } from "../../i18n/use-language.ts";
import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { Button } from "../../ui/button/button.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { instantText } from "../instant-text.ts";
import { useViewTexts } from "../view-texts.ts";
import { BreachActs } from "./breach-acts.tsx";
import { Countdown } from "./breach-parts.tsx";
import { type Breach, breachQuery } from "./breach-queries.ts";

import "./privacy-console.css";
import "./breaches.css";

type Props = { breach: Breach };

function Facts({ breach }: Props) {
  const { t } = useTranslation("breaches");
  const language = useLanguage();
  const number = new Intl.NumberFormat(language);
  const { text, stores, dataCategories, peopleCategories } = breach;
  const written = (part: string): ReactNode =>
    part === "" ? (
      t("unknown")
    ) : (
      <span className="breach__text" dir="auto">
        {part}
      </span>
    );
  const listed = (names: readonly string[]) => names.join(", ") || t("unknown");
  const facts: readonly { term: string; value: ReactNode }[] = [
    { term: t("table.deadline"), value: <Countdown breach={breach} /> },
    { term: t("form.nature"), value: written(text.nature) },
    { term: t("form.people"), value: number.format(breach.people) },
    { term: t("form.records"), value: number.format(breach.records) },
    { term: t("form.data"), value: listed(dataCategories.map((kind) => t(`data.${kind}`))) },
    { term: t("form.whose"), value: listed(peopleCategories.map((kind) => t(`people.${kind}`))) },
    {
      term: t("form.stores"),
      value: stores.length === 0 ? t("unknown") : <code dir="ltr">{stores.join(", ")}</code>,
    },
    { term: t("form.consequences"), value: written(text.consequences) },
    { term: t("form.measures"), value: written(text.measures) },
    ...(breach.closedAt === null
      ? []
      : [{ term: t("closed"), value: instantText(language, breach.closedAt) }]),
  ];
  return (
    <dl className="privacy-review__facts">
      {facts.map(({ term, value }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type DraftProps = { language: "en" | "he"; draft: Breach["drafts"]["authority"]["en"] };

/** A draft in one language, to be copied. */
function Draft({ language, draft }: DraftProps) {
  const { t } = useTranslation("breaches");
  const copying = useMutation({
    mutationFn: () => navigator.clipboard.writeText(`${draft.title}\n\n${draft.body}`),
  });
  return (
    <div className="breach__notice">
      <div className="breach__notice" lang={language} dir={language === "he" ? "rtl" : "ltr"}>
        <h3>{draft.title}</h3>
        <p className="breach__draft">{draft.body}</p>
      </div>
      <div className="privacy-review__acts">
        <Button onClick={() => copying.mutate()}>
          {t(copying.isSuccess ? "drafts.copied" : "drafts.copy")}
          <span className="visually-hidden" lang={language}>
            {" "}
            {draft.title}
          </span>
        </Button>
      </div>
      <Notice kind="error">{copying.isError && t("drafts.failed")}</Notice>
    </div>
  );
}

function Drafts({ breach }: Props) {
  const { t } = useTranslation("breaches");
  return (
    <section className="privacy-review__part" aria-labelledby="breach-drafts">
      <h2 id="breach-drafts">{t("drafts.title")}</h2>
      <p className="privacy-queue__quiet">{t("drafts.lead")}</p>
      {(["authority", "subjects"] as const).map((of) => (
        <details key={of}>
          <summary>{t(`act.${of}`)}</summary>
          {(["en", "he"] as const).map((language) => (
            <Draft key={language} language={language} draft={breach.drafts[of][language]} />
          ))}
        </details>
      ))}
    </section>
  );
}

const events = [
  "BreachRecorded",
  "BreachCorrected",
  "AuthorityDecided",
  "SubjectsDecided",
  "AuthorityNotified",
  "SubjectsNotified",
  "OfficersWarned",
  "BreachClosed",
] as const;

function History({ breach }: Props) {
  const { t } = useTranslation("breaches");
  const language = useLanguage();
  return (
    <section className="privacy-review__part" aria-labelledby="breach-history">
      <h2 id="breach-history">{t("history.title")}</h2>
      <ol className="privacy-review__history">
        {breach.history.map(({ type, at }, index) => {
          const known = events.find((event) => event === type);
          return (
            // oxlint-disable-next-line react/no-array-index-key -- the history is only added to
            <li key={index}>
              <span>{known === undefined ? type : t(`history.${known}`)}</span>
              <time className="privacy-queue__quiet" dateTime={at}>
                {instantText(language, at)}
              </time>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** One breach: what is known, its 72 hours, the decisions, and drafts of the notices. */
export function BreachPage() {
  const { t } = useTranslation("breaches");
  const language = useLanguage();
  const { breachId = "" } = useParams();
  const query = useQuery(breachQuery(breachId));
  const { texts, describe } = useViewTexts(t("loading"));
  const breach = query.data?.breach;
  return (
    <>
      <p className="privacy-review__back">
        <Link to="/console/privacy/breaches">{t("back")}</Link>
      </p>
      <PageHeader
        title={t("one", { number: `\u2066${breachId.slice(0, 8)}\u2069` })}
        lead={breach && t("discovered", { date: instantText(language, breach.discoveredAt) })}
      />
      <DataView
        query={query}
        texts={texts}
        skeleton={<Skeleton shape="block" count={2} />}
        isEmpty={() => false}
        empty={{ title: t("empty.title") }}
        describe={describe}
      >
        {({ breach: shown }) => (
          <div className="privacy-review">
            <div className="privacy-review__main">
              <Facts breach={shown} />
              <Drafts breach={shown} />
              <History breach={shown} />
            </div>
            <BreachActs breach={shown} />
          </div>
        )}
      </DataView>
    </>
  );
}
