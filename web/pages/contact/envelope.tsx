import { useTranslation } from "react-i18next";

import "./envelope.css";

/** Decorative: the text below says the same. */
function Postmark() {
  return (
    <svg className="envelope__postmark" width="132" height="72" viewBox="0 0 132 72">
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
    <svg className="envelope__stamp" width="76" height="92" viewBox="0 0 76 92">
      <rect className="envelope__stamp-paper" x="2" y="2" width="72" height="88" />
      <rect className="envelope__stamp-field" x="10" y="10" width="56" height="72" />
      <g fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round">
        <path d="M23 24h22l9 9v37H23Z M45 24v9h9" />
        <path d="M30 42h17 M30 49h17 M30 56h11" strokeLinecap="round" />
      </g>
    </svg>
  );
}

/** The support address and the response time. */
export function Envelope({ supportEmail }: { supportEmail: string }) {
  const { t } = useTranslation("contact");
  return (
    <section className="contact__envelope" aria-labelledby="envelope-title">
      <div className="envelope">
        <div className="envelope__corner" aria-hidden="true">
          <Postmark />
          <Stamp />
        </div>
        <div className="envelope__address">
          <h2 className="envelope__title" id="envelope-title">
            {t("envelope.title")}
          </h2>
          <p className="envelope__line">
            <a href={`mailto:${supportEmail}`} dir="ltr" data-track="contact-address">
              {supportEmail}
            </a>
          </p>
          <p className="envelope__line">{t("envelope.answer")}</p>
        </div>
      </div>
      <p className="envelope__note">{t("envelope.note")}</p>
    </section>
  );
}
