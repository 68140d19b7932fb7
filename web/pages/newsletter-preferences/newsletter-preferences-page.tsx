import { useTranslation } from "react-i18next";

import { Link, useLocation } from "../../app/routing.ts";
import { PreferencesForm } from "../../features/newsletter/preferences/preferences-form.tsx";
import { useLaunch } from "../../features/pricing/launch.ts";
import { buttonClass } from "../../ui/button/button.tsx";

import "../newsletter-page.css";
import "./newsletter-preferences-page.css";

/** The page behind the preference links of every issue mail. */
export function Page() {
  const { t } = useTranslation("newsletter-preferences");
  const { subscribe } = useLaunch();
  const { search } = useLocation();
  return (
    <div className="newsletter-page preferences page-width">
      <PreferencesForm
        search={search}
        ways={{
          again: (
            <Link className={buttonClass("solid")} to={subscribe} data-track="preferences-again">
              {t("unsubscribed.again")}
            </Link>
          ),
          home: (
            <Link className={buttonClass("outline")} to="/" data-track="preferences-home">
              {t("home")}
            </Link>
          ),
        }}
      />
    </div>
  );
}
