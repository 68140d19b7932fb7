import { useTranslation } from "react-i18next";

import "./resume-sheet.css";

/** An example CV with the numbers of the six properties in its margin. */
export function ResumeSheet() {
  const { t } = useTranslation("ats-friendly-resume");
  return (
    <div className="resume-sheet" aria-hidden="true">
      <span className="resume-sheet__column">
        <span className="resume-sheet__number">1</span>
      </span>
      <div className="resume-sheet__part">
        <span className="resume-sheet__number">2</span>
        <p className="resume-sheet__name">{t("sheet.name")}</p>
        <p>{t("sheet.role")}</p>
        <p>
          <span dir="ltr">{t("sheet.email")}</span>
        </p>
        <p>
          <span dir="ltr">{t("sheet.phone")}</span>
        </p>
      </div>
      <p className="resume-sheet__part resume-sheet__heading">
        <span className="resume-sheet__number">3</span>
        {t("sheet.experience")}
      </p>
      <div className="resume-sheet__part">
        <p>
          <b>{t("sheet.company")}</b>
        </p>
        <p className="resume-sheet__part">
          <span className="resume-sheet__number">4</span>
          <span dir="ltr">{t("sheet.dates")}</span>
        </p>
        <ul>
          <li>{t("sheet.first")}</li>
          <li>{t("sheet.second")}</li>
        </ul>
      </div>
      <p className="resume-sheet__heading">{t("sheet.languages")}</p>
      <div className="resume-sheet__part">
        <span className="resume-sheet__number">5</span>
        <p lang="en" dir="ltr">
          {t("sheet.language.english")}
        </p>
        <p lang="he" dir="rtl">
          {t("sheet.language.hebrew")}
        </p>
      </div>
      <p className="resume-sheet__part resume-sheet__files">
        <span className="resume-sheet__number">6</span>
        <span>{t("sheet.pdf")}</span>
        <span>{t("sheet.docx")}</span>
      </p>
    </div>
  );
}
