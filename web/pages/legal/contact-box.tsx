import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { buttonClass } from "../../ui/button/button.tsx";

export function ContactBox() {
  const { t } = useTranslation("legal");
  return (
    <section className="legal__contact" aria-labelledby="legal-contact">
      <h2 id="legal-contact">{t("contact.title")}</h2>
      <p>{t("contact.body")}</p>
      <Link className={buttonClass()} to="/contact" data-track="legal-contact">
        {t("contact.link")}
      </Link>
    </section>
  );
}
