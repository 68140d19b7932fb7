import { emailCharsMax } from "@pro-talent/schemas/primitives/email-limits";
import { formRelations, formTypes, privacyFormLimits } from "@pro-talent/schemas/privacy/form";
import { useTranslation } from "react-i18next";

import { Choice } from "../../ui/choice/choice.tsx";
import type { SummaryItem } from "../../ui/error-summary/error-summary.tsx";
import { Field, FieldError } from "../../ui/field/field.tsx";
import { HoneypotField } from "../../ui/field/honeypot-field.tsx";
import type { PrivacyFormFaults } from "./privacy-form-call.ts";

type FaultTexts = Record<keyof PrivacyFormFaults, SummaryItem | undefined>;

/** The error of each field; of a choice it leads to its first option. */
export function useFaultTexts(faults: PrivacyFormFaults): FaultTexts {
  const { t } = useTranslation("privacy-request");
  const item = (
    fieldId: string,
    fault: NonNullable<PrivacyFormFaults[keyof PrivacyFormFaults]> | undefined,
  ) => fault && { fieldId: `privacy-${fieldId}`, text: t(`errors.${fault}`) };
  return {
    type: item("type-access", faults.type),
    relation: item("relation-mailbox", faults.relation),
    email: item("email", faults.email),
    about: item("about", faults.about),
  };
}

type ChoicesProps = { error: string | undefined };

function TypeChoices({ error }: ChoicesProps) {
  const { t } = useTranslation("privacy-request");
  return (
    <fieldset className="privacy-form__choices" aria-describedby={error && "privacy-type-error"}>
      <legend>{t("form.type")}</legend>
      <FieldError id="privacy-type" error={error} />
      {formTypes.map((type) => (
        <Choice
          key={type}
          type="radio"
          id={`privacy-type-${type}`}
          name="type"
          value={type}
          label={t(`types.${type}`)}
          hint={t(`typeHints.${type}`)}
        />
      ))}
    </fieldset>
  );
}

function RelationChoices({ error }: ChoicesProps) {
  const { t } = useTranslation("privacy-request");
  return (
    <fieldset
      className="privacy-form__choices"
      aria-describedby={error && "privacy-relation-error"}
    >
      <legend>{t("form.relation")}</legend>
      <FieldError id="privacy-relation" error={error} />
      {formRelations.map((relation) => (
        <Choice
          key={relation}
          type="radio"
          id={`privacy-relation-${relation}`}
          name="relation"
          value={relation}
          label={t(`relations.${relation}`)}
          hint={t(`relationHints.${relation}`)}
        />
      ))}
    </fieldset>
  );
}

type AddressProps = { name: "email" | "about"; error: string | undefined };

function AddressField({ name, error }: AddressProps) {
  const { t } = useTranslation("privacy-request");
  return (
    <Field
      id={`privacy-${name}`}
      label={t(`form.${name}`)}
      hint={t(`form.${name}Hint`)}
      error={error}
    >
      {(control) => (
        <input
          {...control}
          name={name}
          type="email"
          dir="ltr"
          inputMode="email"
          autoComplete={name === "email" ? "email" : "off"}
          maxLength={emailCharsMax}
          aria-required
        />
      )}
    </Field>
  );
}

/** Uncontrolled: the browser holds the values. What is not meant is hidden by the stylesheet, also without scripts. */
export function PrivacyFormFields({ texts }: { texts: FaultTexts }) {
  const { t } = useTranslation("privacy-request");
  return (
    <>
      <TypeChoices error={texts.type?.text} />
      <RelationChoices error={texts.relation?.text} />
      <div className="privacy-form__account">
        <p>
          {t("form.account")} <a href="/login/forgotten">{t("form.recover")}</a>
        </p>
        <p>{t("form.accountWait")}</p>
      </div>
      <AddressField name="email" error={texts.email?.text} />
      <div className="privacy-form__about">
        <AddressField name="about" error={texts.about?.text} />
      </div>
      <Field id="privacy-text" label={t("form.text")} hint={t("form.textHint")}>
        {(control) => (
          <textarea
            {...control}
            name="text"
            dir="auto"
            rows={4}
            maxLength={privacyFormLimits.textCharsMax}
          />
        )}
      </Field>
      <HoneypotField id="privacy-website" label={t("form.honeypot")} />
    </>
  );
}
