import { newsletterPages } from "@pro-talent/schemas/newsletter/categories";
import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";

import { Link, useLocation, useNavigate } from "../../app/routing.ts";
import { ConfirmForm } from "../../features/newsletter/confirmation/confirm-form.tsx";
import { useLaunch } from "../../features/pricing/launch.ts";
import { buttonClass } from "../../ui/button/button.tsx";

import "../newsletter-page.css";
import "./newsletter-confirm-page.css";

function BeforeConfirming() {
  const { t } = useTranslation("newsletter-confirm");
  const { t: newsletter } = useTranslation("newsletter");
  return (
    <section className="newsletter-page__aside" aria-labelledby="facts-title">
      <h2 id="facts-title">{t("facts.title")}</h2>
      <ul className="confirm__list">
        <li>{newsletter("promise")}</li>
        <li>{t("facts.change")}</li>
      </ul>
      <p className="confirm__aside">
        {t("facts.aside", { days: newsletterLimits.unconfirmedDays })}
      </p>
    </section>
  );
}

/** The page behind the link of a confirmation mail. */
export function Page() {
  const { t } = useTranslation("newsletter-confirm");
  const { subscribe } = useLaunch();
  const { search } = useLocation();
  const navigate = useNavigate();
  const onConfirmed = useCallback(
    (email: string) => {
      const query = email === "" ? "" : `?email=${encodeURIComponent(email)}`;
      // Replaces this page: the back button must not lead to a used link.
      void navigate(newsletterPages.confirmed + query, { replace: true });
    },
    [navigate],
  );
  return (
    <div className="newsletter-page newsletter-page--card page-width">
      <ConfirmForm
        search={search}
        onConfirmed={onConfirmed}
        ways={{
          home: (
            <Link className={buttonClass("solid")} to="/" data-track="confirm-home">
              {t("ways.home")}
            </Link>
          ),
          signup: (
            <Link className={buttonClass("solid")} to={subscribe} data-track="confirm-signup">
              {t("ways.signup")}
            </Link>
          ),
          contact: (
            <Link className={buttonClass("outline")} to="/contact" data-track="confirm-contact">
              {t("ways.contact")}
            </Link>
          ),
        }}
      />
      <BeforeConfirming />
    </div>
  );
}
