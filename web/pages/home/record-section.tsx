import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { OpenedMark } from "../../ui/opened-mark/opened-mark.tsx";
import { exampleLink } from "./example-link.ts";

import "./record-section.css";

function Entry({ term, specimen, body }: { term: string; specimen: ReactNode; body: string }) {
  return (
    <div className="readings__entry">
      <dt>{term}</dt>
      <dd className="readings__body">{body}</dd>
      <dd className="readings__specimen" aria-hidden="true">
        {specimen}
      </dd>
    </div>
  );
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

export function RecordSection() {
  const { t } = useTranslation("home");
  const record = exampleLink(t);
  const machines = record.exclusions.length;
  return (
    <section className="readings" id="record" aria-labelledby="record-title" tabIndex={-1}>
      <div className="page-width">
        <h2 className="readings__title" id="record-title">
          {t("record.title")}
        </h2>
        <dl>
          <Entry
            term={t("record.opens.term")}
            body={t("record.opens.body")}
            specimen={<OpenedMark>{record.opens.length}</OpenedMark>}
          />
          <Entry
            term={t("record.people.term")}
            body={t("record.people.body")}
            specimen={<PeopleSpecimen />}
          />
          <Entry
            term={t("record.place.term")}
            body={t("record.place.body")}
            specimen={t("record.specimen.place")}
          />
          <Entry
            term={t("record.time.term")}
            body={t("record.time.body")}
            specimen={t("record.specimen.time")}
          />
          <Entry
            term={t("record.machines.term")}
            body={t("record.machines.body")}
            specimen={<s>{t("record.specimen.machines", { count: machines })}</s>}
          />
        </dl>
      </div>
    </section>
  );
}
