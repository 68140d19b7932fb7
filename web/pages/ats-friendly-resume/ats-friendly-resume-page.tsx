import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { JoinLink } from "../../app/shell/join-link.tsx";
import { PageBreadcrumb } from "../../app/shell/page-breadcrumb.tsx";
import { useLaunch } from "../../features/pricing/launch.ts";
import { buttonClass } from "../../ui/button/button.tsx";
import { ComparisonSection } from "./comparison-section.tsx";
import { ResumeSheet } from "./resume-sheet.tsx";

import "./ats-friendly-resume-page.css";
import "./features-section.css";
import "./proof-section.css";

function Head() {
  const { t } = useTranslation("ats-friendly-resume");
  return (
    <header className="resume-head page-width">
      <PageBreadcrumb current={t("crumb")} />
      <h1 tabIndex={-1}>{t("title")}</h1>
      <p className="resume-head__lead">{t("lead")}</p>
      <p className="resume-head__background">
        <Link className={buttonClass("text")} to="/ats/what-is-ats" data-track="resume-what-is-ats">
          {t("background")}
        </Link>
      </p>
    </header>
  );
}

/** Six properties of a readable file, numbered as on the sheet beside them. */
function Features() {
  const { t } = useTranslation("ats-friendly-resume");
  return (
    <section className="resume-features" aria-labelledby="features-title">
      <div className="resume-features__grid page-width">
        <div className="resume-features__head">
          <h2 id="features-title">{t("features.title")}</h2>
          <p>{t("features.intro")}</p>
        </div>
        <figure className="resume-features__figure">
          <ResumeSheet />
          <figcaption>{t("sheet.caption")}</figcaption>
        </figure>
        <ol className="resume-features__notes">
          {Object.values(t("features.items", { returnObjects: true })).map(({ term, body }) => (
            <li key={term}>
              <h3>{term}</h3>
              <p>{body}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

function Proof() {
  const { t } = useTranslation("ats-friendly-resume");
  return (
    <section className="resume-proof" aria-labelledby="proof-title">
      <div className="resume-proof__grid page-width">
        <div className="resume-proof__facts">
          <h2 id="proof-title">{t("proof.title")}</h2>
          <p>{t("proof.intro")}</p>
          <ul className="resume-proof__figures">
            {Object.values(t("proof.figures", { returnObjects: true })).map(({ value, body }) => (
              <li key={body}>
                <b>{value}</b> <span>{body}</span>
              </li>
            ))}
          </ul>
        </div>
        <figure className="resume-proof__voice">
          <blockquote>{t("proof.quote")}</blockquote>
          <figcaption>
            <p>{t("proof.author")}</p>
            <p className="resume-proof__label">{t("proof.label")}</p>
          </figcaption>
        </figure>
      </div>
    </section>
  );
}

function Next() {
  const { t } = useTranslation("ats-friendly-resume");
  const { sentence: launch } = useLaunch();
  return (
    <section className="resume-next page-width" aria-labelledby="next-title">
      <h2 id="next-title">{t("next.title")}</h2>
      <p>{t("next.body", { launch })}</p>
      <p className="resume-next__links">
        <JoinLink className={buttonClass("solid")} track="resume-signup" />
        <Link className={buttonClass("outline")} to="/pricing" data-track="resume-pricing">
          {t("next.pricing")}
        </Link>
      </p>
    </section>
  );
}

export function Page() {
  return (
    <article>
      <Head />
      <Features />
      <ComparisonSection />
      <Proof />
      <Next />
    </article>
  );
}
