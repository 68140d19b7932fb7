import { useTranslation } from "react-i18next";

import { createIdentityStore } from "../../../analytics/identity-store.ts";
import { ContactForm } from "../../../features/contact/contact-form.tsx";
import { usePageHost } from "../../page-context.tsx";
import { Envelope } from "./envelope.tsx";

import "./contact-page.css";

const supportEmail = "support@protalent.example";

/** A session that is kept in storage belongs to a visitor who consented to analytics. */
function keptSessionId(): string | undefined {
  const store = createIdentityStore(
    () => localStorage,
    () => sessionStorage,
  );
  return store.readSession(Date.now())?.sessionId;
}

/** The form as a letter, and beside it the envelope with the address that it goes to. */
export function ContactPage() {
  const { t } = useTranslation("contact");
  const { tracker } = usePageHost();
  return (
    <div className="contact page-width">
      <header className="contact__head">
        <h1 tabIndex={-1}>{t("title")}</h1>
        <p>{t("lead")}</p>
      </header>
      <div className="contact__letter">
        <ContactForm
          supportEmail={supportEmail}
          readSessionId={() => (tracker?.consented === true ? keptSessionId() : undefined)}
        />
      </div>
      <Envelope supportEmail={supportEmail} />
    </div>
  );
}
