import {
  type SourceContext,
  subscriptionDefaults,
} from "@pro-talent/schemas/newsletter/categories";
import { emailCharsMax } from "@pro-talent/schemas/primitives/email-shape";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { Checkbox } from "../../ui/checkbox/checkbox.tsx";
import { Field } from "../../ui/field/field.tsx";
import { TrapField } from "../../ui/field/trap-field.tsx";
import { useHydrated } from "../../ui/hydration/use-hydrated.ts";
import { LinkedText } from "../../ui/linked-text/linked-text.tsx";
import type { Trouble } from "./subscription.ts";

type SubscriptionFieldsProps = {
  idPrefix: string;
  sourceContext: SourceContext;
  hint: string;
  trouble: Trouble | undefined;
};

/** What a form without scripts sends beside its visible fields. */
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

/** Address and consent, the same in both forms. */
export function SubscriptionFields({
  idPrefix,
  sourceContext,
  hint,
  trouble,
}: SubscriptionFieldsProps) {
  const { t } = useTranslation("newsletter");
  // Without scripts the browser asks for both; with them the form says so in its own words.
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
      <TrapField id={`${idPrefix}-website`} label={t("trap")} />
      <UnseenFields sourceContext={sourceContext} />
    </>
  );
}
