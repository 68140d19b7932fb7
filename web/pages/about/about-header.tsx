import { useTranslation } from "react-i18next";

import "./about-header.css";

const days = Array.from({ length: 15 }, (_, day) => day);
const opened = [2, 3, 7, 8, 12];

/** A line of 14 days with marks on some of them. */
function Fortnight({ marks }: { marks: readonly number[] }) {
  return (
    <svg className="about-header__line" viewBox="0 0 600 34" aria-hidden="true">
      <path d="M0 24H600" />
      {days.map((day) => (
        <path d={`M${10 + day * 41} 20v8`} key={day} />
      ))}
      {marks.map((day) => (
        <circle cx={10 + day * 41} cy="10" r="6" key={day} />
      ))}
    </svg>
  );
}

/** Two weeks without an answer, and the same two weeks with one. */
export function AboutHeader() {
  const { t } = useTranslation("about");
  return (
    <header className="about-header page-width">
      <h1 tabIndex={-1}>{t("title")}</h1>
      <p className="about-header__lead">{t("lead")}</p>
      <div className="about-header__weeks">
        <figure>
          <Fortnight marks={[]} />
          <figcaption>{t("weeks.silent")}</figcaption>
        </figure>
        <figure>
          <Fortnight marks={opened} />
          <figcaption>{t("weeks.answered")}</figcaption>
        </figure>
      </div>
    </header>
  );
}
