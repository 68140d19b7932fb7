import { useTranslation } from "react-i18next";

import { NewsletterForm } from "../../../features/newsletter/newsletter-form.tsx";

import "./newsletter-section.css";

/** The last thing on the page: a way to hear from us without signing up for anything. */
export function NewsletterSection() {
  const { t } = useTranslation("home");
  return (
    <section className="letter" aria-labelledby="letter-title">
      <div className="page-width letter__grid">
        <div className="letter__head">
          <h2 id="letter-title">{t("newsletter.title")}</h2>
          <p>{t("newsletter.intro")}</p>
        </div>
        <NewsletterForm sourceContext="footer_form" idPrefix="home" />
      </div>
    </section>
  );
}
