import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { Combobox } from "../../ui/combobox/combobox.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Icon } from "../../ui/icon/icon.tsx";
import type { FieldState } from "../submission-form.tsx";
import type { zoneWords } from "./zone-words.ts";

type LanguageFieldProps = { field: FieldState; label: string; chosen: string };

export function LanguageField({ field, label, chosen }: LanguageFieldProps) {
  const { t } = useTranslation("account");
  return (
    <Field {...field("language")} label={label}>
      {(control) => (
        <div className="field__select">
          <select {...control} name="language" defaultValue={chosen}>
            <option value="en" lang="en">
              {t("fields.english")}
            </option>
            <option value="he" lang="he">
              {t("fields.hebrew")}
            </option>
          </select>
          <Icon name="expand" />
        </div>
      )}
    </Field>
  );
}

/** The zone of this browser; browsers without one use that of the product's first country. */
export const ownTimeZone = (): string =>
  new Intl.DateTimeFormat().resolvedOptions().timeZone || "Asia/Jerusalem";

/** All zones that this browser knows, and the chosen one, which may have an older name. */
function zonesOf(chosen: string): { id: string; text: string }[] {
  const zones = new Set([...Intl.supportedValuesOf("timeZone"), "UTC", chosen]);
  return [...zones].map((id) => ({ id, text: id.replaceAll("_", " ").replaceAll("/", " / ") }));
}

/** What a clock there shows, with the name of the zone. */
const timeIn = (timeZone: string, language: string): string =>
  new Intl.DateTimeFormat(language, {
    timeZone,
    timeZoneName: "long",
    hour: "2-digit",
    minute: "2-digit",
  }).format(new Date());

type TimeZoneFieldProps = { field: FieldState; chosen: string; onChoose?: () => void };

export function TimeZoneField({ field, chosen, onChoose }: TimeZoneFieldProps) {
  const { t } = useTranslation("account");
  const language = useLanguage();
  const [zone, setZone] = useState<string | undefined>(chosen);
  const [words, setWords] = useState<{ of: typeof zoneWords }>();
  const options = useMemo(() => zonesOf(chosen), [chosen]);
  const now = zone === undefined ? "" : timeIn(zone, language);
  const { id, error } = field("timeZone");
  return (
    <div
      id={id}
      tabIndex={-1}
      onFocus={() => {
        if (words === undefined)
          void import("./zone-words.ts").then((loaded) => setWords({ of: loaded.zoneWords }));
      }}
    >
      <Combobox
        label={t("fields.timeZone")}
        hint={now === "" ? t("fields.timeZoneHint") : `${t("fields.timeZoneHint")} ${now}`}
        error={error}
        options={options}
        selected={zone}
        wordsOf={words && ((of) => words.of(of, language))}
        onSelect={(next) => {
          setZone(next);
          onChoose?.();
        }}
        texts={{ show: t("fields.allZones"), noMatch: t("fields.noZone") }}
      />
      <input type="hidden" name="timeZone" value={zone ?? ""} />
    </div>
  );
}
