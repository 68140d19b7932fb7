import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { buttonClass } from "../../ui/button/button.tsx";

/** Of plans without the tracker: what it would show, with a sample that says it is one, and the way to the plan. */
export function WithoutTracker() {
  const { t } = useTranslation("applications");
  const sample = ["first", "second", "third"] as const;
  return (
    <section className="without-tracker" aria-labelledby="without-tracker">
      <div className="without-tracker__words">
        <h2 id="without-tracker">{t("without.title")}</h2>
        <p>{t("without.body")}</p>
        <Link className={buttonClass("solid")} to="/account/subscription">
          {t("without.action")}
        </Link>
      </div>
      <figure className="without-tracker__sample">
        <figcaption className="tracker__quiet">{t("without.sample")}</figcaption>
        <ol>
          {sample.map((name) => (
            <li key={name} data-opened={name === "second"}>
              <span>{t(`without.${name}.when`)}</span>
              {t(`without.${name}.what`)}
            </li>
          ))}
        </ol>
      </figure>
    </section>
  );
}
