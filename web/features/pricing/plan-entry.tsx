import type { plans } from "@pro-talent/schemas/subscription/plans";
import { useId } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { Button } from "../../ui/button/button.tsx";
import { FeatureValue } from "./feature-value.tsx";
import { PlanGlyph } from "./plan-glyph.tsx";
import { featureTexts, planTexts } from "./plan-texts.ts";
import { type BillingPeriod, displayPrice } from "./price-display.ts";

import "./plan-entry.css";

type TablePlan = (typeof plans)[number];
type PlanInPeriod = { plan: TablePlan; period: BillingPeriod };

/** The annual price is shown in both periods, also without scripts. */
function BillingNote({ plan, period }: PlanInPeriod) {
  const { t } = useTranslation("plans");
  const { annualMonth, annualTotal, discount } = displayPrice(plan, period, useLanguage());
  if (plan.billingNoteKey === "billing.free") {
    return <p className="plan-entry__note">{t("billing.free")}</p>;
  }
  if (period === "monthly") {
    return (
      <p className="plan-entry__note">
        {t("billing.monthly", { month: annualMonth, total: annualTotal })}
      </p>
    );
  }
  return (
    <p className="plan-entry__note">
      {t("billing.annual", { total: annualTotal })}{" "}
      <strong>{t("billing.saving", { percent: discount })}</strong>
    </p>
  );
}

function PlanPriceTag({ plan, period }: PlanInPeriod) {
  const { t } = useTranslation("plans");
  const { month } = displayPrice(plan, period, useLanguage());
  return (
    <p className="plan-entry__price">
      <span className="plan-entry__amount">
        <bdi dir="ltr">{month}</bdi>
      </span>{" "}
      <span>{t("price.perMonth")}</span>
    </p>
  );
}

/** Replaces the table of all plans on narrow screens. */
function PlanFeatureList({ plan }: { plan: TablePlan }) {
  const { t } = useTranslation("plans");
  return (
    <dl className="plan-entry__features">
      {featureTexts(t).map(({ feature, label }) => (
        <div key={feature}>
          <dt>{label}</dt>
          <dd>
            <FeatureValue value={plan.features[feature]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function PlanEntry({ plan, period, headingLevel }: PlanInPeriod & { headingLevel: 2 | 3 }) {
  const { t } = useTranslation("plans");
  const texts = planTexts(t);
  const headingId = useId();
  const Heading = headingLevel === 2 ? "h2" : "h3";
  return (
    <li className={plan.recommended ? "plan-entry plan-entry--recommended" : "plan-entry"}>
      <PlanGlyph icon={plan.icon} />
      <div className="plan-entry__head">
        <Heading className="plan-entry__name" id={headingId}>
          {texts[plan.nameKey]}
        </Heading>
        {plan.recommended && <p className="plan-entry__tab">{t("recommended")}</p>}
        <span className="plan-entry__leader" aria-hidden="true" />
      </div>
      <div className="plan-entry__cost">
        <PlanPriceTag plan={plan} period={period} />
        <BillingNote plan={plan} period={period} />
      </div>
      <div className="plan-entry__words">
        <p className="plan-entry__subtitle">{texts[plan.subtitleKey]}</p>
        <p>{texts[plan.descriptionKey]}</p>
      </div>
      <PlanFeatureList plan={plan} />
      <div className="plan-entry__action">
        <Button disabled aria-describedby={headingId}>
          {texts[plan.ctaKey]}
        </Button>
      </div>
    </li>
  );
}
