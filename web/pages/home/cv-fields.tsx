import { useTranslation } from "react-i18next";

import "./cv-fields.css";

/** A page of a CV and the fields that a recruiting system reads from it. */
export function CvFields() {
  const { t } = useTranslation("home");
  const fields = [
    { field: t("values.cv.fields.name"), value: t("example.name") },
    { field: t("values.cv.fields.role"), value: t("example.role") },
    { field: t("values.cv.fields.since"), value: t("example.since") },
    { field: t("values.cv.fields.languages"), value: t("example.languages") },
  ];
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
