import { contactPath } from "@pro-talent/schemas/contact/categories";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { ErrorSummary } from "../../ui/error-summary/error-summary.tsx";
import { LinkedText } from "../../ui/linked-text/linked-text.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { ContactFields } from "./contact-fields.tsx";
import { useContactForm } from "./use-contact-form.ts";
import { useFaultTexts } from "./use-fault-texts.ts";

import "./contact-form.css";

type ContactFormProps = {
  /** Shown when the form fails. */
  supportEmail: string;
  /** The visit session, only with consent to analytics. */
  readSessionId: () => string | undefined;
};

/** Specification §4 and §5. */
export function ContactForm({ supportEmail, readSessionId }: ContactFormProps) {
  const { t } = useTranslation("contact");
  const { view, form, events } = useContactForm(readSessionId);
  const notice = useRef<HTMLDivElement>(null);
  const { place, message, faults, refusals } = view;
  const texts = useFaultTexts(faults);
  useEffect(() => {
    if (place === "success" || place === "error") notice.current?.focus();
  }, [place]);
  const subjectId = message.subjectCategory === "other" ? "contact-subject" : "contact-category";
  const items = [
    { fieldId: "contact-name", text: texts.name },
    { fieldId: "contact-email", text: texts.email },
    { fieldId: subjectId, text: texts.subject },
    { fieldId: "contact-message", text: texts.message },
  ].flatMap(({ fieldId, text }) => (text === undefined ? [] : [{ fieldId, text }]));
  const sending = place === "sending";
  return (
    <form
      className="contact-form"
      method="post"
      action={contactPath}
      noValidate
      ref={form}
      aria-busy={sending}
      {...events}
    >
      <ErrorSummary title={t("form.problem")} items={items} refusals={refusals} />
      <Notice kind="error" ref={place === "error" ? notice : null}>
        {place === "error" && (
          <LinkedText
            text={t("form.error", { email: supportEmail })}
            phrases={[{ text: supportEmail, href: `mailto:${supportEmail}` }]}
          />
        )}
      </Notice>
      <Notice kind="success" ref={place === "success" ? notice : null}>
        {place === "success" && t("form.success")}
      </Notice>
      <fieldset className="contact-form__fields" disabled={sending}>
        <ContactFields message={message} texts={texts} />
        <Button type="submit" look="solid" data-track="contact-send">
          {sending ? t("form.sending") : t("form.send")}
        </Button>
      </fieldset>
    </form>
  );
}
