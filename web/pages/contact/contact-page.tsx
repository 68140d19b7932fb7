import { useTranslation } from "react-i18next";

import { createIdentityStore } from "../../analytics/identity-store.ts";
import { usePageHost } from "../../app/page-context.tsx";
import { ContactForm } from "../../features/contact/contact-form.tsx";
import { Envelope } from "./envelope.tsx";

import "./contact-page.css";

const supportEmail = "support@protalent.example";

/** Visit sessions are stored only for visitors who consented to analytics. */
function keptSessionId(): string | undefined {
  const store = createIdentityStore(
    () => localStorage,
    () => sessionStorage,
  );
  return store.readVisitSession(Date.now())?.sessionId;
}

export function ContactPage() {
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
      <Envelope supportEmail={supportEmail} />
    </div>
  );
}
