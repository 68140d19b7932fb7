import { useTranslation } from "react-i18next";

import { PrivacyForm } from "../../features/privacy-form/privacy-form.tsx";

import "./privacy-request-page.css";

const steps = ["code", "decide", "mailed", "destroyed"] as const;
const corrections = ["subscription", "address", "message", "account"] as const;

/** For people without access to an account, or without one. */
export function Page() {
  const { t } = useTranslation("privacy-request");
  return (
    <div className="privacy-request page-width">
      <header className="privacy-request__head">
        <h1 tabIndex={-1}>{t("title")}</h1>
        <p>
          {t("lead")} <a href="/login?next=%2Faccount%2Fprivacy">{t("signIn")}</a>
        </p>
      </header>
      <div className="privacy-request__form">
        <PrivacyForm />
      </div>
      <section className="privacy-request__steps" aria-labelledby="privacy-steps">
        <h2 id="privacy-steps">{t("steps.title")}</h2>
        <ol>
          {steps.map((step) => (
            <li key={step}>{t(`steps.${step}`)}</li>
          ))}
        </ol>
        <h2 id="privacy-corrections">{t("corrections.title")}</h2>
        <ul aria-labelledby="privacy-corrections">
          {corrections.map((one) => (
            <li key={one}>{t(`corrections.${one}`)}</li>
          ))}
        </ul>
        <p>
          <a href="/contact">{t("corrections.write")}</a>
        </p>
      </section>
    </div>
  );
}
