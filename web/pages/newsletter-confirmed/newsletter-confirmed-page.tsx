import { useTranslation } from "react-i18next";

import { Link, useLocation } from "../../app/routing.ts";
import { buttonClass } from "../../ui/button/button.tsx";
import { useHydrated } from "../../ui/hydration/use-hydrated.ts";
import { Icon } from "../../ui/icon/icon.tsx";
import { emailInQuery } from "./email-in-query.ts";

import "../newsletter-page.css";
import "./newsletter-confirmed-page.css";

/** The address from the query, which the prerendered page does not know. */
function Subscriber() {
  const { t } = useTranslation("newsletter-confirmed");
  const { search } = useLocation();
  const email = useHydrated() ? emailInQuery(search) : undefined;
  if (email === undefined) return null;
  return (
    <p className="confirmed__address">
      {t("subscribedAs")} <bdi dir="ltr">{email}</bdi>
    </p>
  );
}

function NextSteps() {
  const { t } = useTranslation("newsletter-confirmed");
  const { title, ...steps } = t("steps", { returnObjects: true });
  return (
    <section className="newsletter-page__aside" aria-labelledby="next-title">
      <h2 id="next-title">{title}</h2>
      <ul className="confirmed__steps">
        {Object.values(steps).map(({ term, body }) => (
          <li key={term}>
            <h3>{term}</h3>
            <p>{body}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Page() {
  const { t } = useTranslation("newsletter-confirmed");
  return (
    <div className="newsletter-page newsletter-page--card page-width">
      <div className="confirmed__card">
        <p className="confirmed__label">
          <Icon name="check" />
          {t("label")}
        </p>
        <h1 tabIndex={-1}>{t("title")}</h1>
        <p className="confirmed__lead">{t("lead")}</p>
        <Subscriber />
        <div className="confirmed__actions">
          <Link className={buttonClass("solid")} to="/" data-track="confirmed-home">
            {t("home")}
          </Link>
          <Link className={buttonClass("outline")} to="/pricing" data-track="confirmed-pricing">
            {t("pricing")}
          </Link>
        </div>
      </div>
      <NextSteps />
    </div>
  );
}
