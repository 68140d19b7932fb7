import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { OpenedMark } from "../../ui/opened-mark/opened-mark.tsx";

import "./application-board.css";
import "./cv-fields.css";
import "./link-answers.css";
import "./values-section.css";

/** A page of a CV and the fields that a recruiting system reads from it. */
function CvFields() {
  const { t } = useTranslation("home-story");
  const fields = (["name", "role", "since", "languages"] as const).map((name) => ({
    field: t(`values.cv.fields.${name}`),
    value: t(`example.${name}`),
  }));
  return (
    <div className="cv-fields">
      <div className="cv-fields__page">
        {fields.map(({ field, value }) => (
          <p key={field}>{value}</p>
        ))}
      </div>
      <div className="cv-fields__read">
        {fields.map(({ field, value }) => (
          <p key={field}>
            <span>{field}</span> {value}
          </p>
        ))}
      </div>
    </div>
  );
}

/** Companies, each with what its link reports. */
function LinkAnswers() {
  const { t } = useTranslation("home-story");
  return (
    <ul className="link-answers">
      <li>
        <span>{t("example.companies.harbour")}</span>
        <OpenedMark>{t("demo.opened", { count: 14 })}</OpenedMark>
      </li>
      <li>
        <span>{t("example.companies.meridian")}</span>
        <OpenedMark>{t("demo.opened", { count: 2 })}</OpenedMark>
      </li>
      <li>
        <span>{t("example.companies.carob")}</span>
        <span className="link-answers__waiting">{t("values.analytics.waiting")}</span>
      </li>
    </ul>
  );
}

type Stages = Record<string, { name: string; slips: Record<string, string> }>;

/** Stages with the applications in them; the application to `harbour` was opened. */
function ApplicationBoard() {
  const { t } = useTranslation("home-story");
  const stages: Stages = t("values.tracker.stages", { returnObjects: true });
  const companies: Record<string, string> = t("example.companies", { returnObjects: true });
  return (
    <div className="board">
      {Object.entries(stages).map(([stage, { name, slips }]) => (
        <div className="board__stage" key={stage}>
          <p className="board__name">{name}</p>
          {Object.entries(slips).map(([company, note]) => (
            <p
              className={company === "harbour" ? "board__slip board__slip--opened" : "board__slip"}
              key={company}
            >
              <span className="board__company">{companies[company]}</span>
              <span className="board__note">{note}</span>
            </p>
          ))}
        </div>
      ))}
    </div>
  );
}

function ValuePart({
  name,
  children,
}: {
  name: "cv" | "analytics" | "tracker";
  children: ReactNode;
}) {
  const { t } = useTranslation("home-story");
  return (
    <article className={`values__part values__part--${name}`}>
      <div className="values__text">
        <h3>{t(`values.${name}.term`)}</h3>
        <p>{t(`values.${name}.body`)}</p>
      </div>
      <div className="values__picture" aria-hidden="true">
        {children}
      </div>
    </article>
  );
}

export function ValuesSection() {
  const { t } = useTranslation("home-story");
  return (
    <section className="values page-width" aria-labelledby="values-title">
      <h2 id="values-title">{t("values.title")}</h2>
      <div className="values__sheet">
        <ValuePart name="cv">
          <CvFields />
        </ValuePart>
        <ValuePart name="analytics">
          <LinkAnswers />
        </ValuePart>
        <ValuePart name="tracker">
          <ApplicationBoard />
        </ValuePart>
      </div>
    </section>
  );
}
