import { cvLimits } from "@pro-talent/schemas/studio/limits";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../../i18n/use-language.ts";
import { Icon } from "../../../ui/icon/icon.tsx";
import { idOf, useEditing } from "./editing.ts";
import { put } from "./edits.ts";
import { Advice, useDescription, useTyped } from "./line-field.tsx";

const months = Array.from({ length: 12 }, (_, index) => `${index + 1}`.padStart(2, "0"));

/** `2024-03`, `2024`, or empty as long as there is no whole year. */
function meaningOf(typed: string): string {
  const [year = "", month = ""] = typed.split("-");
  const inYears = Number(year) >= cvLimits.yearMin && Number(year) <= cvLimits.yearMax;
  if (!/^\d{4}$/u.test(year) || !inYears) return "";
  return month === "" ? year : `${year}-${month}`;
}

type PartsProps = {
  label: string;
  id: string;
  /** `2024-03`, or as much of it as is typed. */
  typed: string;
  disabled: boolean;
  onType: (typed: string) => void;
};

/** Month and year beside each other. */
function Parts({ label, id, typed, disabled, onType }: PartsProps) {
  const { t } = useTranslation("cv");
  const language = useLanguage();
  const names = new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" });
  const [year = "", month = ""] = typed.split("-");
  return (
    <div className="cv-month__parts">
      <div className="field__select">
        <select
          className="field__control"
          aria-label={`${label}: ${t("fields.month")}`}
          value={month}
          disabled={disabled}
          onChange={({ target }) => onType(`${year}-${target.value}`)}
        >
          <option value="">{t("fields.noMonth")}</option>
          {months.map((number) => (
            <option key={number} value={number}>
              {names.format(Date.UTC(2024, Number(number) - 1, 1))}
            </option>
          ))}
        </select>
        <Icon name="expand" />
      </div>
      <input
        className="field__control"
        id={id}
        aria-label={`${label}: ${t("fields.year")}`}
        placeholder={t("fields.yearShort")}
        inputMode="numeric"
        dir="ltr"
        maxLength={4}
        value={year}
        disabled={disabled}
        onChange={({ target }) => onType(`${target.value.replaceAll(/\D/gu, "")}-${month}`)}
      />
    </div>
  );
}

type MonthFieldProps = {
  path: string;
  label: string;
  /** A month, a year, `present` or nothing. */
  value: string;
  /** Offers that it goes on, in these words. */
  present?: string;
};

/** A month and a year; the month may be left out. */
export function MonthField({ path, label, value, present }: MonthFieldProps) {
  const { edit } = useEditing();
  const described = useDescription(path);
  const isPresent = value === "present";
  const [shown, setTyped] = useTyped(isPresent ? "" : value, meaningOf, (text) => text);
  const type = (typed: string): void => {
    setTyped(typed);
    if (meaningOf(typed) !== value) edit(put(path, meaningOf(typed)));
  };
  const id = idOf(path);
  return (
    <fieldset className="cv-month" aria-describedby={described}>
      <legend className="field__label">{label}</legend>
      <Parts label={label} id={id} typed={shown} disabled={isPresent} onType={type} />
      {present !== undefined && (
        <label className="cv-check" htmlFor={`${id}-present`}>
          <input
            id={`${id}-present`}
            type="checkbox"
            checked={isPresent}
            onChange={({ target }) => edit(put(path, target.checked ? "present" : ""))}
          />
          {present}
        </label>
      )}
      <Advice path={path} />
    </fieldset>
  );
}
