import {
  type SourceContext,
  subscriptionDefaults,
} from "@pro-talent/schemas/newsletter/categories";
import { emailCharsMax } from "@pro-talent/schemas/primitives/email-shape";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { Checkbox } from "../../ui/checkbox/checkbox.tsx";
import { Field } from "../../ui/field/field.tsx";
import { HoneypotField } from "../../ui/field/honeypot-field.tsx";
import { useHydrated } from "../../ui/hydration/use-hydrated.ts";
import { LinkedText } from "../../ui/linked-text/linked-text.tsx";
import type { Trouble } from "./subscribe.ts";

type SubscribeFieldsProps = {
  idPrefix: string;
  sourceContext: SourceContext;
  hint: string;
  trouble: Trouble | undefined;
};

/** Hidden fields for a form that is sent without scripts. */
function UnseenFields({ sourceContext }: { sourceContext: SourceContext }) {
  const language = useLanguage();
  const { preferences, tags } = subscriptionDefaults[sourceContext];
  return (
    <>
      <input type="hidden" name="language" value={language} />
      <input type="hidden" name="sourceContext" value={sourceContext} />
      <input type="hidden" name="frequency" value={preferences.frequency} />
      {preferences.topics.map((topic) => (
        <input key={topic} type="hidden" name="topics" value={topic} />
      ))}
      {tags.map((tag) => (
        <input key={tag} type="hidden" name="tags" value={tag} />
      ))}
    </>
  );
}

/** Address and consent of both newsletter forms. */
export function SubscribeFields({ idPrefix, sourceContext, hint, trouble }: SubscribeFieldsProps) {
  const { t } = useTranslation("newsletter");
  // Without scripts the browser validates; with them the form shows its own texts.
  const scriptless = !useHydrated();
  const consentText = t("consent.text");
  return (
    <>
      <Field
        id={`${idPrefix}-email`}
        label={t("email")}
        hint={hint}
        error={trouble?.code === "emailRequired" ? t("errors.emailRequired") : undefined}
      >
        {(control) => (
          <input
            {...control}
            name="email"
            type="email"
            dir="ltr"
            inputMode="email"
            autoComplete="email"
            maxLength={emailCharsMax}
            required={scriptless}
            aria-required
          />
        )}
      </Field>
      <Checkbox
        id={`${idPrefix}-consent`}
        name="consentText"
        value={consentText}
        required={scriptless}
        error={trouble?.code === "consentRequired" ? t("errors.consentRequired") : undefined}
      >
        <LinkedText
          text={consentText}
          phrases={[
            { text: t("consent.privacy"), href: "/privacy" },
            { text: t("consent.terms"), href: "/terms" },
          ]}
        />
      </Checkbox>
      <HoneypotField id={`${idPrefix}-website`} label={t("honeypot")} />
      <UnseenFields sourceContext={sourceContext} />
    </>
  );
}
