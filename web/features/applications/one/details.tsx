import { applicationLimits as limit } from "@pro-talent/schemas/applications/limits";
import { readExternalUrl } from "@pro-talent/schemas/links/read-external-url";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { SubmissionForm } from "../../submission-form.tsx";
import { refusalIn } from "../../submission.machine.ts";
import { DayField, detailFaults, detailsIn, SalaryFields, TextField } from "../detail-fields.tsx";
import type { Application } from "../queries.ts";
import { useTrackerTexts } from "../tracker-texts.ts";
import { usePartActs } from "./part-acts.ts";

type DetailsProps = { application: Application; readOnly: boolean };

/** The address of the posting; a link where it leads to a page. */
function Posting({ jobUrl }: { jobUrl: string }) {
  const read = readExternalUrl(jobUrl);
  if (!("url" in read)) return <bdi dir="ltr">{jobUrl}</bdi>;
  return (
    <a href={read.url} target="_blank" rel="noopener noreferrer">
      <bdi dir="ltr">{new URL(read.url).host}</bdi>
    </a>
  );
}

function Facts({ application: { details } }: Pick<DetailsProps, "application">) {
  const { t } = useTranslation(["application", "applications"]);
  const { day, salary } = useTrackerTexts();
  const { place, source, jobUrl, deadline, appliedOn } = details;
  const rows: readonly (readonly [string, ReactNode])[] = [
    [t("applications:fields.place"), place && <bdi>{place}</bdi>],
    [t("applications:fields.salary"), salary(details)],
    [t("applications:fields.deadline"), deadline && day(deadline)],
    [t("applications:fields.appliedOn"), appliedOn && day(appliedOn)],
    [t("applications:fields.source"), source && <bdi>{source}</bdi>],
    [t("applications:fields.jobUrl"), jobUrl && <Posting jobUrl={jobUrl} />],
  ];
  const known = rows.filter(([, value]) => Boolean(value));
  if (known.length === 0) return <p className="tracker__quiet">{t("details.none")}</p>;
  return (
    <dl className="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type FormProps = { application: Application; onClose: () => void };

function DetailsForm({ application, onClose }: FormProps) {
  const { t } = useTranslation(["application", "applications"]);
  const { patch } = usePartActs(application.applicationId);
  const { details } = application;
  const send = async (data: FormData) => {
    const refused = refusalIn(await patch({ details: detailsIn(data, details) }));
    if (refused === undefined) onClose();
    return refused;
  };
  return (
    <SubmissionForm
      submission={{ faultsIn: detailFaults, send }}
      submit={t("save")}
      sending={t("saving")}
      actions={<Button onClick={onClose}>{t("cancel")}</Button>}
    >
      {(field) => (
        <>
          {(["company", "role", "place", "source"] as const).map((name) => (
            <TextField key={name} field={field} details={details} name={name} />
          ))}
          <Field {...field("jobUrl")} label={t("applications:fields.jobUrl")}>
            {(control) => (
              <input
                {...control}
                name="jobUrl"
                dir="ltr"
                inputMode="url"
                autoComplete="off"
                maxLength={limit.urlCharsMax}
                defaultValue={details.jobUrl}
              />
            )}
          </Field>
          <DayField field={field} details={details} name="deadline" />
          <DayField field={field} details={details} name="appliedOn" />
          <SalaryFields field={field} details={details} />
        </>
      )}
    </SubmissionForm>
  );
}

/** What the application is about, and the form that changes it. */
export function Details({ application, readOnly }: DetailsProps) {
  const { t } = useTranslation("application");
  const [editing, setEditing] = useState(false);
  return (
    <section className="application__part" aria-labelledby="details">
      <div className="application__part-head">
        <h2 id="details">{t("details.title")}</h2>
        {!readOnly && !editing && (
          <Button variant="text" onClick={() => setEditing(true)}>
            {t("edit")} <span className="visually-hidden">{t("details.title")}</span>
          </Button>
        )}
      </div>
      {editing ? (
        <DetailsForm application={application} onClose={() => setEditing(false)} />
      ) : (
        <Facts application={application} />
      )}
    </section>
  );
}
