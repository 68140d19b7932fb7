import { useTranslation } from "react-i18next";

import { NewsletterForm } from "../../features/newsletter/newsletter-form.tsx";

import "./newsletter-section.css";

export function NewsletterSection() {
  const { t } = useTranslation("home");
  return (
    <section className="newsletter-section" aria-labelledby="newsletter-section-title">
      <div className="page-width newsletter-section__grid">
        <div className="newsletter-section__head">
          <h2 id="newsletter-section-title">{t("newsletter.title")}</h2>
          <p>{t("newsletter.intro")}</p>
        </div>
        <NewsletterForm sourceContext="footer_form" idPrefix="home" />
      </div>
    </section>
  );
}
