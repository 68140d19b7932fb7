import { contactLimits } from "@pro-talent/schemas/contact/limits";
import { emailCharsMax } from "@pro-talent/schemas/primitives/email-limits";
import { useTranslation } from "react-i18next";

import type { SummaryItem } from "../../ui/error-summary/error-summary.tsx";
import { Field } from "../../ui/field/field.tsx";
import { HoneypotField } from "../../ui/field/honeypot-field.tsx";
import { Select } from "../../ui/field/select.tsx";
import type { ContactFaults } from "./contact-call.ts";

type FaultTexts = Record<
  "name" | "email" | "category" | "subject" | "message",
  SummaryItem | undefined
>;

/** The error of each field. A category without a choice has the fault of the subject. */
export function useFaultTexts(faults: ContactFaults): FaultTexts {
  const { t } = useTranslation("contact");
  const item = (
    field: string,
    fault: NonNullable<ContactFaults[keyof ContactFaults]> | undefined,
  ) => fault && { fieldId: `contact-${field}`, text: t(`errors.${fault}`) };
  return {
    name: item("name", faults.name),
    email: item("email", faults.email),
    category: item("category", faults.category),
    subject: item("subject", faults.subject),
    message: item("message", faults.message),
  };
}

function PersonFields({ texts }: { texts: FaultTexts }) {
  const { t } = useTranslation("contact");
  return (
    <div className="contact-form__person">
      <Field id="contact-name" label={t("form.name")} error={texts.name?.text}>
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
      <Field id="contact-email" label={t("form.email")} error={texts.email?.text}>
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
        <Select
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
        </Select>
      )}
    </Field>
  );
}

/** Uncontrolled: the browser holds the values. */
export function ContactFields({ texts }: { texts: FaultTexts }) {
  const { t } = useTranslation("contact");
  return (
    <>
      <PersonFields texts={texts} />
      <CategoryField error={texts.category?.text} />
      {/* Always rendered; the stylesheet shows it, also without scripts. */}
      <div className="contact-form__subject">
        <Field id="contact-subject" label={t("form.subject")} error={texts.subject?.text}>
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
        error={texts.message?.text}
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
