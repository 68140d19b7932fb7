import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";

import { Choice } from "../../../ui/choice/choice.tsx";
import { FieldError } from "../../../ui/field/field.tsx";
import type { Preferences } from "../mail-token-calls.ts";

type RowProps = { title: string; error?: string | undefined; children: ReactNode };

function Row({ title, error, children }: RowProps) {
  const id = useId();
  return (
    <fieldset
      className="preferences-form__row"
      aria-describedby={error === undefined ? undefined : `${id}-error`}
    >
      <legend className="preferences-form__title">{title}</legend>
      <div className="preferences-form__answers">
        {children}
        <FieldError id={id} error={error} />
      </div>
    </fieldset>
  );
}

function FrequencyRow({ preferences }: { preferences: Preferences }) {
  const { t } = useTranslation("newsletter-preferences");
  return (
    <Row title={t("frequency.title")}>
      <Choice
        type="radio"
        id="preference-weekly"
        name="frequency"
        value="weekly"
        label={t("frequency.weekly")}
        hint={t("frequency.weeklyHint")}
        defaultChecked={preferences.frequency === "weekly"}
      />
      <Choice
        type="radio"
        id="preference-monthly"
        name="frequency"
        value="monthly"
        label={t("frequency.monthly")}
        hint={t("frequency.monthlyHint")}
        defaultChecked={preferences.frequency === "monthly"}
      />
    </Row>
  );
}

function TopicsRow({ preferences, missing }: { preferences: Preferences; missing: boolean }) {
  const { t } = useTranslation("newsletter-preferences");
  const topics = [
    { value: "launch", label: t("topics.launch") },
    { value: "updates", label: t("topics.updates") },
    { value: "features", label: t("topics.features") },
    { value: "early_bird", label: t("topics.earlyBird") },
  ] as const;
  return (
    <Row title={t("topics.title")} error={missing ? t("topics.required") : undefined}>
      {topics.map(({ value, label }) => (
        <Choice
          key={value}
          type="checkbox"
          id={`preference-${value}`}
          name="topics"
          value={value}
          label={label}
          defaultChecked={preferences.topics.includes(value)}
        />
      ))}
    </Row>
  );
}

function LanguageRow({ preferences }: { preferences: Preferences }) {
  const { t } = useTranslation("newsletter-preferences");
  return (
    <Row title={t("language.title")}>
      <Choice
        type="radio"
        id="preference-en"
        name="language"
        value="en"
        lang="en"
        label={t("language.en")}
        defaultChecked={preferences.language === "en"}
      />
      <Choice
        type="radio"
        id="preference-he"
        name="language"
        value="he"
        lang="he"
        label={t("language.he")}
        defaultChecked={preferences.language === "he"}
      />
    </Row>
  );
}

export function PreferenceFields({
  preferences,
  topicMissing,
}: {
  preferences: Preferences;
  topicMissing: boolean;
}) {
  return (
    <>
      <FrequencyRow preferences={preferences} />
      <TopicsRow preferences={preferences} missing={topicMissing} />
      <LanguageRow preferences={preferences} />
    </>
  );
}
