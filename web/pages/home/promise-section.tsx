import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";

import "./promise-section.css";

export function PromiseSection() {
  const { t } = useTranslation("home");
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
          <p>
            <Link to="/privacy" data-track="promise-privacy">
              {t("promise.more")}
            </Link>
          </p>
        </div>
        <ul className="promise__items">
          {drops.map(({ item, note }) => (
            <li key={item}>
              <s>{item}</s> <span className="promise__note">{note}</span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
