import { contactLimits } from "@pro-talent/schemas/contact/limits";
import { emailCharsMax } from "@pro-talent/schemas/primitives/email-shape";
import { useTranslation } from "react-i18next";

import { Field } from "../../ui/field/field.tsx";
import { HoneypotField } from "../../ui/field/honeypot-field.tsx";
import { Icon } from "../../ui/icon/icon.tsx";
import type { ContactMessage } from "./contact-message.ts";
import type { FaultTexts } from "./use-fault-texts.ts";

type ContactFieldsProps = { message: ContactMessage; texts: FaultTexts };

function PersonFields({ texts }: { texts: FaultTexts }) {
  const { t } = useTranslation("contact");
  return (
    <div className="contact-form__person">
      <Field id="contact-name" label={t("form.name")} error={texts.name}>
        {(control) => (
          <input
            {...control}
            name="name"
            dir="auto"
            autoComplete="name"
            maxLength={contactLimits.nameCharsMax}
            aria-required
          />
        )}
      </Field>
      <Field id="contact-email" label={t("form.email")} error={texts.email}>
        {(control) => (
          <input
            {...control}
            name="email"
            type="email"
            dir="ltr"
            inputMode="email"
            autoComplete="email"
            maxLength={emailCharsMax}
            aria-required
          />
        )}
      </Field>
    </div>
  );
}

function CategoryField({ error }: { error: string | undefined }) {
  const { t } = useTranslation("contact");
  return (
    <Field id="contact-category" label={t("form.category")} error={error}>
      {(control) => (
        <div className="field__select">
          <select
            {...control}
            name="subjectCategory"
            defaultValue=""
            autoComplete="off"
            aria-required
          >
            <option value="">{t("form.choose")}</option>
            <option value="general">{t("categories.general")}</option>
            <option value="support">{t("categories.support")}</option>
            <option value="billing">{t("categories.billing")}</option>
            <option value="feature">{t("categories.feature")}</option>
            <option value="bug">{t("categories.bug")}</option>
            <option value="partnership">{t("categories.partnership")}</option>
            <option value="other">{t("categories.other")}</option>
          </select>
          <Icon name="expand" />
        </div>
      )}
    </Field>
  );
}

/** Uncontrolled: the browser holds the values. */
export function ContactFields({ message, texts }: ContactFieldsProps) {
  const { t } = useTranslation("contact");
  const named = message.subjectCategory === "other";
  return (
    <>
      <PersonFields texts={texts} />
      <CategoryField error={named ? undefined : texts.subject} />
      {/* Always rendered; the stylesheet shows it, also without scripts. */}
      <div className="contact-form__subject">
        <Field
          id="contact-subject"
          label={t("form.subject")}
          error={named ? texts.subject : undefined}
        >
          {(control) => (
            <input
              {...control}
              name="subject"
              dir="auto"
              autoComplete="off"
              maxLength={contactLimits.subjectCharsMax}
              aria-required
            />
          )}
        </Field>
      </div>
      <Field
        id="contact-message"
        label={t("form.message")}
        hint={t("form.messageHint")}
        error={texts.message}
      >
        {(control) => (
          <textarea
            {...control}
            name="message"
            dir="auto"
            rows={7}
            maxLength={contactLimits.messageCharsMax}
            aria-required
          />
        )}
      </Field>
      <HoneypotField id="contact-website" label={t("form.honeypot")} />
    </>
  );
}
