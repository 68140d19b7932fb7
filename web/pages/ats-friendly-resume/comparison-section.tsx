import { useTranslation } from "react-i18next";

import { Icon } from "../../ui/icon/icon.tsx";

import "./comparison-section.css";

/** A skill rating in dots, which no program can read: the bad example. */
function DotRating() {
  const { t } = useTranslation("ats-friendly-resume");
  return (
    <svg
      className="versus__dots"
      role="img"
      aria-label={t("compare.drawn")}
      width="96"
      height="16"
      viewBox="0 0 96 16"
    >
      {[8, 28, 48, 68, 88].map((x) => (
        <circle key={x} cx={x} cy="8" r="6.5" fill={x === 88 ? "none" : "currentColor"} />
      ))}
    </svg>
  );
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
  const pairs = Object.entries(t("compare.pairs", { returnObjects: true }));
  return (
    <section className="versus page-width" aria-labelledby="compare-title">
      <div className="versus__head">
        <h2 id="compare-title">{t("compare.title")}</h2>
        <p>{t("compare.intro")}</p>
      </div>
      <ol className="versus__pairs">
        {pairs.map(([id, { term, why, bad, good }]) => (
          <li key={id}>
            <div className="versus__subject">
              <h3>{term}</h3>
              <p>{why}</p>
            </div>
            <dl>
              <div className="versus__bad">
                <Verdict good={false} />
                <dd>
                  {bad} {id === "skills" && <DotRating />}
                </dd>
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
