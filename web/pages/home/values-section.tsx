import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { ApplicationBoard } from "./application-board.tsx";
import { CvFields } from "./cv-fields.tsx";
import { LinkAnswers } from "./link-answers.tsx";

import "./values-section.css";

type Value = { name: "cv" | "analytics" | "tracker"; term: string; body: string };

function ValuePart({ name, term, body, children }: Value & { children: ReactNode }) {
  return (
    <article className={`values__part values__part--${name}`}>
      <div className="values__text">
        <h3>{term}</h3>
        <p>{body}</p>
      </div>
      <div className="values__picture" aria-hidden="true">
        {children}
      </div>
    </article>
  );
}

export function ValuesSection() {
  const { t } = useTranslation("home");
  return (
    <section className="values page-width" aria-labelledby="values-title">
      <h2 id="values-title">{t("values.title")}</h2>
      <div className="values__sheet">
        <ValuePart name="cv" term={t("values.cv.term")} body={t("values.cv.body")}>
          <CvFields />
        </ValuePart>
        <ValuePart
          name="analytics"
          term={t("values.analytics.term")}
          body={t("values.analytics.body")}
        >
          <LinkAnswers />
        </ValuePart>
        <ValuePart name="tracker" term={t("values.tracker.term")} body={t("values.tracker.body")}>
          <ApplicationBoard />
        </ValuePart>
      </div>
    </section>
  );
}
