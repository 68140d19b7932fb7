import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";

import "../newsletter-page.css";
import "../../features/newsletter/confirmation/confirm-form.css";

const address = "privacy@protalent.example";

/**
 * The page behind the link that ends all mail. Mail scanners open links too, so only the button adds
 * the mailbox to the list. The form posts to the page's own address, which has the token, with scripts
 * as without; the page of form answers shows the result.
 */
export function Page() {
  const { t } = useTranslation("newsletter-never");
  return (
    <div className="newsletter-page newsletter-page--card page-width">
      <div className="confirm-form">
        <p className="confirm-form__label">{t("label")}</p>
        <h1 tabIndex={-1}>{t("title")}</h1>
        <p className="confirm-form__body">{t("body")}</p>
        <form className="confirm-form__press" method="post">
          <Button type="submit" variant="solid" data-track="newsletter-never">
            {t("press")}
          </Button>
        </form>
      </div>
      <section className="newsletter-page__aside" aria-labelledby="facts-title">
        <h2 id="facts-title">{t("facts.title")}</h2>
        <ul className="newsletter-page__facts">
          <li>{t("facts.end")}</li>
          <li>{t("facts.kept")}</li>
          <li>
            <span>
              {t("facts.back")}{" "}
              <a href={`mailto:${address}`} dir="ltr">
                {address}
              </a>
            </span>
          </li>
        </ul>
      </section>
    </div>
  );
}
