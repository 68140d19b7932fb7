import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { Icon } from "../../ui/icon/icon.tsx";

import "./comparison-section.css";

type Pair = { term: string; why: string; bad: ReactNode; good: string };

/** A skill rating in dots, which no program can read: the bad example. */
function DotRating() {
  const { t } = useTranslation("ats-friendly-resume");
  return (
    <>
      {t("compare.skills.bad")}{" "}
      <svg
        className="versus__dots"
        role="img"
        aria-label={t("compare.skills.drawn")}
        width="96"
        height="16"
        viewBox="0 0 96 16"
      >
        {[8, 28, 48, 68, 88].map((x) => (
          <circle key={x} cx={x} cy="8" r="6.5" fill={x === 88 ? "none" : "currentColor"} />
        ))}
      </svg>
    </>
  );
}

function usePairs(): readonly Pair[] {
  const { t } = useTranslation("ats-friendly-resume");
  return [
    {
      term: t("compare.layout.term"),
      why: t("compare.layout.why"),
      bad: t("compare.layout.bad"),
      good: t("compare.layout.good"),
    },
    {
      term: t("compare.heading.term"),
      why: t("compare.heading.why"),
      bad: t("compare.heading.bad"),
      good: t("compare.heading.good"),
    },
    {
      term: t("compare.role.term"),
      why: t("compare.role.why"),
      bad: t("compare.role.bad"),
      good: t("compare.role.good"),
    },
    {
      term: t("compare.dates.term"),
      why: t("compare.dates.why"),
      bad: t("compare.dates.bad"),
      good: t("compare.dates.good"),
    },
    {
      term: t("compare.skills.term"),
      why: t("compare.skills.why"),
      bad: <DotRating />,
      good: t("compare.skills.good"),
    },
    {
      term: t("compare.short.term"),
      why: t("compare.short.why"),
      bad: t("compare.short.bad"),
      good: t("compare.short.good"),
    },
  ];
}

function Verdict({ good }: { good: boolean }) {
  const { t } = useTranslation("ats-friendly-resume");
  return (
    <dt className="versus__verdict">
      <Icon name={good ? "check" : "close"} />
      {good ? t("compare.good") : t("compare.bad")}
    </dt>
  );
}

export function ComparisonSection() {
  const { t } = useTranslation("ats-friendly-resume");
  return (
    <section className="versus page-width" aria-labelledby="compare-title">
      <div className="versus__head">
        <h2 id="compare-title">{t("compare.title")}</h2>
        <p>{t("compare.intro")}</p>
      </div>
      <ol className="versus__pairs">
        {usePairs().map(({ term, why, bad, good }) => (
          <li key={term}>
            <div className="versus__subject">
              <h3>{term}</h3>
              <p>{why}</p>
            </div>
            <dl>
              <div className="versus__bad">
                <Verdict good={false} />
                <dd>{bad}</dd>
              </div>
              <div className="versus__good">
                <Verdict good />
                <dd>
                  <bdi>{good}</bdi>
                </dd>
              </div>
            </dl>
          </li>
        ))}
      </ol>
    </section>
  );
}
