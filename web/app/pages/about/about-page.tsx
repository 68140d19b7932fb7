import { useTranslation } from "react-i18next";

import { buttonClass } from "../../../ui/button/button.tsx";
import { Link } from "../../routing.ts";

import "./about-page.css";

function Aims() {
  const { t } = useTranslation("about");
  return (
    <dl className="about__aims page-width">
      <div>
        <dt>{t("mission.term")}</dt>
        <dd>{t("mission.body")}</dd>
      </div>
      <div>
        <dt>{t("vision.term")}</dt>
        <dd>{t("vision.body")}</dd>
      </div>
    </dl>
  );
}

function Values() {
  const { t } = useTranslation("about");
  const values = [
    { term: t("values.accessibility.term"), body: t("values.accessibility.body") },
    { term: t("values.privacy.term"), body: t("values.privacy.body") },
    { term: t("values.global.term"), body: t("values.global.body") },
    { term: t("values.innovation.term"), body: t("values.innovation.body") },
  ];
  return (
    <section className="about__values" aria-labelledby="values-title">
      <div className="page-width">
        <h2 id="values-title">{t("values.title")}</h2>
        <dl>
          {values.map(({ term, body }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{body}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}

function Story() {
  const { t } = useTranslation("about");
  return (
    <section className="about__story page-width" aria-labelledby="story-title">
      <h2 id="story-title">{t("story.title")}</h2>
      <div>
        <p>{t("story.body")}</p>
        <p>{t("story.more")}</p>
      </div>
    </section>
  );
}

function State() {
  const { t } = useTranslation("about");
  return (
    <section className="about__state page-width" aria-labelledby="state-title">
      <h2 id="state-title">{t("state.title")}</h2>
      <p>{t("state.body")}</p>
      <p className="about__links">
        <Link className={buttonClass("solid")} to="/" data-track="about-home">
          {t("state.home")}
        </Link>
        <Link className={buttonClass("quiet")} to="/privacy" data-track="about-privacy">
          {t("state.privacy")}
        </Link>
      </p>
    </section>
  );
}

export function AboutPage() {
  const { t } = useTranslation("about");
  return (
    <>
      <header className="about__head page-width">
        <h1 tabIndex={-1}>{t("title")}</h1>
        <p>{t("lead")}</p>
      </header>
      <Aims />
      <Values />
      <Story />
      <State />
    </>
  );
}
