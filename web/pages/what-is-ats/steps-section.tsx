import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import {
  DocumentSpecimen,
  FieldsSpecimen,
  PersonSpecimen,
  SearchSpecimen,
  TextSpecimen,
} from "./step-specimens.tsx";

import "./steps-section.css";

function Step({ term, body, specimen }: { term: string; body: string; specimen: ReactNode }) {
  return (
    <li className="passage__step">
      <div className="passage__text">
        <h3>{term}</h3>
        <p>{body}</p>
      </div>
      <div className="passage__sheet" aria-hidden="true">
        {specimen}
      </div>
    </li>
  );
}

export function StepsSection() {
  const { t } = useTranslation("what-is-ats");
  return (
    <section className="passage page-width" aria-labelledby="steps-title">
      <div className="passage__head">
        <h2 id="steps-title">{t("steps.title")}</h2>
        <p>{t("steps.intro")}</p>
      </div>
      <ol className="passage__steps">
        <Step
          term={t("steps.document.term")}
          body={t("steps.document.body")}
          specimen={<DocumentSpecimen />}
        />
        <Step term={t("steps.text.term")} body={t("steps.text.body")} specimen={<TextSpecimen />} />
        <Step
          term={t("steps.fields.term")}
          body={t("steps.fields.body")}
          specimen={<FieldsSpecimen />}
        />
        <Step
          term={t("steps.search.term")}
          body={t("steps.search.body")}
          specimen={<SearchSpecimen />}
        />
        <Step
          term={t("steps.person.term")}
          body={t("steps.person.body")}
          specimen={<PersonSpecimen />}
        />
      </ol>
    </section>
  );
}
