import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { formatDate } from "../../i18n/format.ts";
import { isLanguage } from "../../i18n/languages.ts";
import { OpenedMark } from "../../ui/opened-mark/opened-mark.tsx";
import { demoDate, demoLink } from "./link-demo-data.ts";
export { LinkDemo } from "./link-demo.tsx";
import { ValuesSection } from "./values-section.tsx";

import "./ats-section.css";
import "./brand-section.css";
import "./features-section.css";
import "./promise-section.css";
import "./record-section.css";
import "./voices-section.css";

// The first use of a date format is slow. Here it happens while a page is prefetched, not while it is shown.
if (!import.meta.env.SSR) {
  const { lang } = document.documentElement;
  if (isLanguage(lang)) {
    for (const form of ["day", "shortDay"] as const) formatDate(lang, demoDate(1), form);
  }
}

/** Visits as marks: large for a first visit, small for a repeated one. */
function PeopleSpecimen() {
  const people = [3, 3, 2, 2, 2, 2];
  return (
    <svg className="readings__people" width="190" height="44" viewBox="0 0 190 44">
      {people.map((opens, person) => (
        // oxlint-disable-next-line react/no-array-index-key -- a drawing that never changes
        <g key={person}>
          <circle cx={12 + person * 33} cy="30" r="8" />
          {opens > 2 && <circle cx={12 + person * 33} cy="6" r="3.5" />}
          <circle cx={12 + person * 33} cy="15.5" r="3.5" />
        </g>
      ))}
    </svg>
  );
}

function RecordSection() {
  const { t } = useTranslation("home-story");
  const specimens: Record<string, ReactNode> = {
    opens: <OpenedMark>{demoLink.opens}</OpenedMark>,
    people: <PeopleSpecimen />,
    place: t("record.specimen.place"),
    time: t("record.specimen.time"),
    bots: <s>{t("record.specimen.bots", { count: demoLink.excluded })}</s>,
  };
  return (
    <section className="readings" id="record" aria-labelledby="record-title" tabIndex={-1}>
      <div className="page-width">
        <h2 className="readings__title" id="record-title">
          {t("record.title")}
        </h2>
        <dl>
          {Object.entries(t("record.entries", { returnObjects: true })).map(
            ([id, { term, body }]) => (
              <div className="readings__entry" key={id}>
                <dt>{term}</dt>
                <dd className="readings__body">{body}</dd>
                <dd className="readings__specimen" aria-hidden="true">
                  {specimens[id]}
                </dd>
              </div>
            ),
          )}
        </dl>
      </div>
    </section>
  );
}

function PromiseSection() {
  const { t } = useTranslation("home-story");
  return (
    <section className="promise" aria-labelledby="promise-title">
      <div className="page-width promise__grid">
        <div className="promise__head">
          <h2 id="promise-title">{t("promise.title")}</h2>
          <p>{t("promise.intro")}</p>
          <p>
            <Link to="/privacy" data-track="promise-privacy">
              {t("promise.more")}
            </Link>
          </p>
        </div>
        <ul className="promise__items">
          {Object.values(t("promise.items", { returnObjects: true })).map(({ item, note }) => (
            <li key={item}>
              <s>{item}</s> <span className="promise__note">{note}</span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** How a program reads a page: across it, line by line, whatever the columns mean. */
function ReadingOrder({ columns }: { columns: 1 | 2 }) {
  const lines = [18, 42, 66, 90, 114, 138];
  const two = columns === 2;
  return (
    <svg className="ats__page" viewBox="0 0 150 170">
      <rect className="ats__paper" x="0.5" y="0.5" width="149" height="169" rx="4" />
      {lines.map((y, index) => (
        <g className="ats__lines" key={y}>
          <path d={`M16 ${y}h${two ? 46 : index % 3 === 2 ? 70 : 104}`} />
          {two && <path d={`M88 ${y}h${index % 2 === 0 ? 46 : 34}`} />}
        </g>
      ))}
      <path
        className="ats__path"
        d={
          two
            ? "M20 18 128 18 20 42 116 42 20 66 128 66 20 90 116 90 20 114 128 114 20 138 116 138"
            : "M20 18V150"
        }
      />
      <circle className="ats__start" cx="20" cy="18" r="5" />
      <path className="ats__path" d={two ? "M110 132 116 138 110 144" : "M14 144 20 150 26 144"} />
    </svg>
  );
}

function AtsSection() {
  const { t } = useTranslation("home-story");
  return (
    <section className="ats" aria-labelledby="ats-title">
      <div className="page-width ats__grid">
        <div className="ats__text">
          <h2 id="ats-title">{t("ats.title")}</h2>
          <p className="ats__body">{t("ats.body")}</p>
          <p>{t("ats.order")}</p>
          <ul className="ats__links">
            <li>
              <Link to="/ats/what-is-ats" data-track="home-what-is-ats">
                {t("ats.what")}
              </Link>
            </li>
            <li>
              <Link to="/ats/ats-friendly-resume" data-track="home-ats-friendly-resume">
                {t("ats.resume")}
              </Link>
            </li>
          </ul>
        </div>
        <div className="ats__pages" aria-hidden="true">
          <p>
            <ReadingOrder columns={2} />
            <s>{t("ats.columns")}</s>
          </p>
          <p>
            <ReadingOrder columns={1} />
            {t("ats.single")}
          </p>
        </div>
      </div>
    </section>
  );
}

function FeaturesSection() {
  const { t } = useTranslation("home-story");
  return (
    <section className="features page-width" aria-labelledby="features-title">
      <div className="features__head">
        <h2 id="features-title">{t("features.title")}</h2>
        <p>{t("features.intro")}</p>
      </div>
      <ol className="features__steps">
        {Object.values(t("features.steps", { returnObjects: true })).map(({ term, body, plan }) => (
          <li key={term}>
            <h3>{term}</h3>
            <p>{body}</p>
            <p className="features__plan">{plan}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function BrandSection() {
  const { t } = useTranslation("home-story");
  return (
    <section className="brand-story page-width" aria-labelledby="brand-title">
      <h2 id="brand-title">{t("brand.title")}</h2>
      <dl className="brand-story__words">
        {Object.values(t("brand.entries", { returnObjects: true })).map(({ english, gloss }) => (
          <div key={english}>
            <dt lang="en" dir="ltr">
              {english}
            </dt>
            <dd>{gloss}</dd>
          </div>
        ))}
      </dl>
      <p className="brand-story__end">
        <span>{t("brand.together")}</span>{" "}
        <Link to="/brand/pro-talent-meaning" data-track="home-brand">
          {t("brand.more")}
        </Link>
      </p>
    </section>
  );
}

export function StorySections() {
  return (
    <>
      <ValuesSection />
      <AtsSection />
      <RecordSection />
      <PromiseSection />
      <FeaturesSection />
      <BrandSection />
    </>
  );
}

/** The testimonials are imagined, and the note above them says so. */
export function VoicesSection() {
  const { t } = useTranslation("home-story");
  return (
    <section className="voices page-width" aria-labelledby="voices-title">
      <div className="voices__head">
        <h2 id="voices-title">{t("voices.title")}</h2>
        <p>{t("voices.label")}</p>
      </div>
      {Object.entries(t("voices.people", { returnObjects: true })).map(
        ([name, { quote, author, role }]) => (
          <figure className={`voices__voice voices__voice--${name}`} key={name}>
            <blockquote>
              <p>{quote}</p>
            </blockquote>
            <figcaption>
              <span className="voices__author">{author}</span> <span>{role}</span>
            </figcaption>
          </figure>
        ),
      )}
    </section>
  );
}
