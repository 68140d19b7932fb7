import { useTranslation } from "react-i18next";

import { Link } from "../../routing.ts";

import "./promise-section.css";

/** What a link keeps about its readers, and what it leaves out. */
export function PromiseSection() {
  const { t } = useTranslation("home");
  const keeps = [
    t("promise.keeps.time"),
    t("promise.keeps.region"),
    t("promise.keeps.device"),
    t("promise.keeps.verdict"),
  ];
  const drops = [
    { item: t("promise.drops.address"), note: t("promise.notes.address") },
    { item: t("promise.drops.name"), note: t("promise.notes.name") },
    { item: t("promise.drops.city"), note: t("promise.notes.city") },
  ];
  return (
    <section className="promise" aria-labelledby="promise-title">
      <div className="page-width promise__grid">
        <div className="promise__head">
          <h2 id="promise-title">{t("promise.title")}</h2>
          <p>{t("promise.intro")}</p>
        </div>
        <div className="promise__list">
          <h3>{t("promise.kept")}</h3>
          <ul className="promise__items">
            {keeps.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        </div>
        <div className="promise__list">
          <h3>{t("promise.dropped")}</h3>
          <ul className="promise__items">
            {drops.map(({ item, note }) => (
              <li key={item}>
                <s>{item}</s> <span className="promise__note">{note}</span>
              </li>
            ))}
          </ul>
        </div>
        <p className="promise__more">
          <Link to="/privacy" data-track="promise-privacy">
            {t("promise.more")}
          </Link>
        </p>
      </div>
    </section>
  );
}
