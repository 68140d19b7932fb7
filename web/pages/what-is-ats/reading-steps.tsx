import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { OpenedMark } from "../../ui/opened-mark/opened-mark.tsx";

import "./step-specimens.css";
import "./steps-section.css";

function DocumentSpecimen() {
  const { t } = useTranslation("ats-story");
  return (
    <div className="specimen-page">
      <p className="specimen-page__name">{t("specimen.name")}</p>
      <p className="specimen-page__line">
        <span>{t("specimen.role")}</span>
        <span dir="ltr">{t("specimen.email")}</span>
      </p>
      <p className="specimen-page__heading">{t("specimen.experience")}</p>
      <p className="specimen-page__line">
        <b>{t("specimen.company")}</b>
        <span dir="ltr">{t("specimen.dates")}</span>
      </p>
      <p className="specimen-page__heading">{t("specimen.skills")}</p>
      <p>{t("specimen.skillList")}</p>
    </div>
  );
}

function TextSpecimen() {
  const { t } = useTranslation("ats-story");
  const lines = [
    [t("specimen.name")],
    [t("specimen.role")],
    [t("specimen.email")],
    [t("specimen.experience")],
    [t("specimen.company"), t("specimen.dates")],
    [t("specimen.skills")],
    [t("specimen.skillList")],
  ];
  return (
    <ol className="specimen-lines">
      {lines.map(([text, dates]) => (
        <li key={text}>
          <span>
            <bdi>{text}</bdi> {dates !== undefined && <bdi>{dates}</bdi>}
          </span>
        </li>
      ))}
    </ol>
  );
}

function FieldsSpecimen() {
  const { t } = useTranslation("ats-story");
  const fields = (["name", "role", "email", "company", "dates"] as const).map((field) => ({
    label: t(`specimen.fields.${field}`),
    value: t(`specimen.${field}`),
  }));
  fields.push({ label: t("specimen.fields.skills"), value: t("specimen.skillList") });
  return (
    <dl className="specimen-fields">
      {fields.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function SearchSpecimen() {
  const { t } = useTranslation("ats-story");
  return (
    <div className="specimen-search">
      <p className="specimen-search__query">
        <svg width="20" height="20" viewBox="0 0 20 20">
          <path
            d="M8.500 3.500a5 5 0 1 0 0 10 5 5 0 0 0 0-10Z M12.200 12.200 17 17"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.500"
            strokeLinecap="round"
          />
        </svg>
        <bdi>{t("specimen.query")}</bdi>
      </p>
      <p className="specimen-search__hit">
        <b>{t("specimen.name")}</b>
        <span>
          <mark>{t("specimen.role")}</mark> <mark>{t("specimen.tool")}</mark>
        </span>
        <small>{t("specimen.found")}</small>
      </p>
      <svg className="specimen-search__rest" viewBox="0 0 400 56" preserveAspectRatio="none">
        <path d="M0 12h120 M240 12h70 M0 44h90 M240 44h100" strokeWidth="10" />
      </svg>
    </div>
  );
}

function PersonSpecimen() {
  const { t } = useTranslation("ats-story");
  return (
    <p className="specimen-person">
      <OpenedMark>{t("specimen.opened")}</OpenedMark>
      <span>{t("specimen.name")}</span>
    </p>
  );
}

const specimens: Record<string, ReactNode> = {
  document: <DocumentSpecimen />,
  text: <TextSpecimen />,
  fields: <FieldsSpecimen />,
  search: <SearchSpecimen />,
  person: <PersonSpecimen />,
};

/** How it works: five steps, each with what a program has of the CV at that step. */
export function ReadingSteps() {
  const { t } = useTranslation("ats-story");
  return (
    <section className="passage page-width" aria-labelledby="steps-title">
      <div className="passage__head">
        <h2 id="steps-title">{t("steps.title")}</h2>
        <p>{t("steps.intro")}</p>
      </div>
      <ol className="passage__steps">
        {Object.entries(t("steps.items", { returnObjects: true })).map(([id, { term, body }]) => (
          <li className="passage__step" key={id}>
            <div className="passage__text">
              <h3>{term}</h3>
              <p>{body}</p>
            </div>
            <div className="passage__sheet" aria-hidden="true">
              {specimens[id]}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
