import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";

import { Choice } from "../../../ui/choice/choice.tsx";
import { FieldError } from "../../../ui/field/field.tsx";
import type { Wishes } from "./preferences-view.ts";

type RowProps = { title: string; error?: string | undefined; children: ReactNode };

/** One question: its name at the start, its answers beside it. */
function Row({ title, error, children }: RowProps) {
  const id = useId();
  return (
    <fieldset
      className="wishes__row"
      aria-describedby={error === undefined ? undefined : `${id}-error`}
    >
      <legend className="wishes__title">{title}</legend>
      <div className="wishes__answers">
        {children}
        <FieldError id={id} error={error} />
      </div>
    </fieldset>
  );
}

function FrequencyRow({ wishes }: { wishes: Wishes }) {
  const { t } = useTranslation("newsletter-preferences");
  return (
    <Row title={t("frequency.title")}>
      <Choice
        type="radio"
        id="wish-weekly"
        name="frequency"
        value="weekly"
        label={t("frequency.weekly")}
        hint={t("frequency.weeklyHint")}
        defaultChecked={wishes.frequency === "weekly"}
      />
      <Choice
        type="radio"
        id="wish-monthly"
        name="frequency"
        value="monthly"
        label={t("frequency.monthly")}
        hint={t("frequency.monthlyHint")}
        defaultChecked={wishes.frequency === "monthly"}
      />
    </Row>
  );
}

function TopicsRow({ wishes, missing }: { wishes: Wishes; missing: boolean }) {
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
          id={`wish-${value}`}
          name="topics"
          value={value}
          label={label}
          defaultChecked={wishes.topics.includes(value)}
        />
      ))}
    </Row>
  );
}

function LanguageRow({ wishes }: { wishes: Wishes }) {
  const { t } = useTranslation("newsletter-preferences");
  return (
    <Row title={t("language.title")}>
      <Choice
        type="radio"
        id="wish-en"
        name="language"
        value="en"
        lang="en"
        label={t("language.en")}
        defaultChecked={wishes.language === "en"}
      />
      <Choice
        type="radio"
        id="wish-he"
        name="language"
        value="he"
        lang="he"
        label={t("language.he")}
        defaultChecked={wishes.language === "he"}
      />
    </Row>
  );
}

/** How often, about what, and in which language. */
export function WishFields({ wishes, topicMissing }: { wishes: Wishes; topicMissing: boolean }) {
  return (
    <>
      <FrequencyRow wishes={wishes} />
      <TopicsRow wishes={wishes} missing={topicMissing} />
      <LanguageRow wishes={wishes} />
    </>
  );
}
