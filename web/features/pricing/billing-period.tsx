import { useId } from "react";
import { useTranslation } from "react-i18next";

import { Select } from "../../ui/field/select.tsx";
import { type BillingPeriod, isBillingPeriod } from "../price-display.ts";

import "../../ui/field/field.css";
import "./billing-period.css";

type PeriodProps = { period: BillingPeriod; onChange: (period: BillingPeriod) => void };

function PeriodToggle({ period, onChange }: PeriodProps) {
  const { t } = useTranslation("plans");
  const name = useId();
  return (
    <fieldset className="billing-period__toggle">
      <legend>{t("period.label")}</legend>
      {(["monthly", "annual"] as const).map((value) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            checked={period === value}
            onChange={() => onChange(value)}
            data-track={`billing-${value}`}
          />
          <span>
            {t(`period.${value}`)}{" "}
            {value === "annual" && (
              <span className="billing-period__badge">{t("period.badge")}</span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function PeriodSelect({ period, onChange }: PeriodProps) {
  const { t } = useTranslation("plans");
  const id = useId();
  return (
    <div className="billing-period__select">
      <label htmlFor={id}>{t("period.label")}</label>
      <Select
        className="field__control"
        id={id}
        value={period}
        onChange={({ target }) => {
          if (isBillingPeriod(target.value)) onChange(target.value);
        }}
        data-track="billing-period"
      >
        <option value="monthly">{t("period.monthly")}</option>
        <option value="annual">{t("period.annualOption")}</option>
      </Select>
    </div>
  );
}

/**
 * A toggle, or a dropdown on small screens. The styles show one of them, and neither without
 * scripts.
 */
export function BillingPeriodChoice(props: PeriodProps) {
  return (
    <div className="billing-period">
      <PeriodToggle {...props} />
      <PeriodSelect {...props} />
    </div>
  );
}
