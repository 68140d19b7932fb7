import { useTranslation } from "react-i18next";

import { browserIdentityStore } from "../../analytics/identity-store.ts";
import { usePageHost } from "../../app/page-context.tsx";
import { ContactForm } from "../../features/contact/contact-form.tsx";

import "./contact-page.css";
import "./support-card.css";

const supportEmail = "support@protalent.example";

/** Visit sessions are stored only for visitors who consented to analytics. */
function keptSessionId(): string | undefined {
  return browserIdentityStore().readVisitSession(Date.now())?.sessionId;
}

/** Decorative: the text below says the same. */
function StampMark() {
  return (
    <svg className="support-card__stamp-mark" width="132" height="72" viewBox="0 0 132 72">
      <g fill="none" stroke="currentColor" strokeWidth="1.5">
        <circle cx="36" cy="36" r="33" />
        <circle cx="36" cy="36" r="24" />
        <path d="M72 24c8-6 12 6 20 0s12 6 20 0 12 6 20 0" />
        <path d="M72 36c8-6 12 6 20 0s12 6 20 0 12 6 20 0" />
        <path d="M72 48c8-6 12 6 20 0s12 6 20 0 12 6 20 0" />
      </g>
      <path
        d="M28 30h16v13H28Z M28 30l8 7 8-7"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
      />
    </svg>
  );
}

function Stamp() {
  return (
    <svg className="support-card__stamp" width="76" height="92" viewBox="0 0 76 92">
      <rect className="support-card__stamp-paper" x="2" y="2" width="72" height="88" />
      <rect className="support-card__stamp-field" x="10" y="10" width="56" height="72" />
      <g fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round">
        <path d="M23 24h22l9 9v37H23Z M45 24v9h9" />
        <path d="M30 42h17 M30 49h17 M30 56h11" strokeLinecap="round" />
      </g>
    </svg>
  );
}

/** The support address and the response time. */
function SupportCard() {
  const { t } = useTranslation("contact");
  return (
    <section className="contact__support-card" aria-labelledby="support-card-title">
      <div className="support-card">
        <div className="support-card__corner" aria-hidden="true">
          <StampMark />
          <Stamp />
        </div>
        <div className="support-card__address">
          <h2 className="support-card__title" id="support-card-title">
            {t("envelope.title")}
          </h2>
          <p className="support-card__line">
            <a href={`mailto:${supportEmail}`} dir="ltr" data-track="contact-address">
              {supportEmail}
            </a>
          </p>
          <p className="support-card__line">{t("envelope.answer")}</p>
        </div>
      </div>
      <p className="support-card__note">{t("envelope.note")}</p>
    </section>
  );
}

export function Page() {
  const { t } = useTranslation("contact");
  const { tracker } = usePageHost();
  return (
    <div className="contact page-width">
      <header className="contact__head">
        <h1 tabIndex={-1}>{t("title")}</h1>
        <p>{t("lead")}</p>
      </header>
      <div className="contact__form">
        <ContactForm
          supportEmail={supportEmail}
          readSessionId={() => (tracker?.consented === true ? keptSessionId() : undefined)}
        />
      </div>
      <SupportCard />
    </div>
  );
}
