import type { plans } from "@pro-talent/schemas/subscription/plans";
import { useId } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { Button, buttonClass } from "../../ui/button/button.tsx";
import { comparedFeatures, FeatureValue } from "../feature-value.tsx";
import { type BillingPeriod, displayPrice } from "../price-display.ts";
import { useLaunch } from "./launch.ts";

import "./plan-entry.css";
import "./plan-glyph.css";

type TablePlan = (typeof plans)[number];
type PlanInPeriod = { plan: TablePlan; period: BillingPeriod };

/** A sheet of paper: written, with an address, and opened. */
function PlanGlyph({ icon }: { icon: TablePlan["icon"] }) {
  return (
    <svg className="plan-glyph" width="42" height="46" viewBox="0 0 42 46" aria-hidden="true">
      <path d="M8.5 5.5h17l8 8v27h-25Z M25.5 5.5v8h8" />
      <path d="M13.5 20.5h15 M13.5 25.5h11" />
      {icon === "sheet" ? (
        <path d="M13.5 30.5h15 M13.5 35.5h7" />
      ) : (
        <path d="M15.5 30.5h11a2 2 0 0 1 2 2v1a2 2 0 0 1-2 2h-11a2 2 0 0 1-2-2v-1a2 2 0 0 1 2-2Z M16.5 33h4" />
      )}
      {icon === "mark" && <circle cx="33.5" cy="40.5" r="5.5" />}
    </svg>
  );
}

/** The annual price is shown in both periods, also without scripts. */
function Cost({ plan, period }: PlanInPeriod) {
  const { t } = useTranslation("plans");
  const price = displayPrice(plan, period, useLanguage());
  const { annualMonth, annualTotal: total, discount } = price;
  const note = {
    free: t("billing.free"),
    monthly: t("billing.monthly", { month: annualMonth, total }),
    annual: t("billing.annual", { total }),
  }[plan.billingNoteKey === "billing.free" ? "free" : period];
  const saves = plan.billingNoteKey !== "billing.free" && period === "annual";
  return (
    <div className="plan-entry__cost">
      <p className="plan-entry__price">
        <span className="plan-entry__amount">
          <bdi dir="ltr">{price.month}</bdi>
        </span>{" "}
        <span>{t("price.perMonth")}</span>
      </p>
      <p className="plan-entry__note">
        {note} {saves && <strong>{t("billing.saving", { percent: discount })}</strong>}
      </p>
    </div>
  );
}

/** Registration, which leads to the checkout of the plan; an account that is signed in goes there at once. */
const joinAddress = ({ code }: TablePlan, period: BillingPeriod): string =>
  code === "free"
    ? "/join"
    : `/join?next=${encodeURIComponent(`/checkout?plan=${code}&cycle=${period}`)}`;

type PlanEntryProps = PlanInPeriod & {
  headingLevel: 2 | 3;
  /** Id of the text that says why no plan can be chosen. */
  reasonId: string;
};

/** One plan of the price list. Its feature list replaces the table of all plans on phones. */
export function PlanEntry({ plan, period, headingLevel, reasonId }: PlanEntryProps) {
  const { t } = useTranslation("plans");
  const { open } = useLaunch();
  const headingId = useId();
  const Heading = headingLevel === 2 ? "h2" : "h3";
  return (
    <li className={plan.recommended ? "plan-entry plan-entry--recommended" : "plan-entry"}>
      <PlanGlyph icon={plan.icon} />
      <div className="plan-entry__head">
        <Heading className="plan-entry__name" id={headingId}>
          {t(plan.nameKey)}
        </Heading>
        {plan.recommended && <p className="plan-entry__tab">{t("recommended")}</p>}
        <span className="plan-entry__leader" aria-hidden="true" />
      </div>
      <Cost plan={plan} period={period} />
      <div className="plan-entry__words">
        <p className="plan-entry__subtitle">{t(plan.subtitleKey)}</p>
        <p>{t(plan.descriptionKey)}</p>
      </div>
      <dl className="plan-entry__features">
        {comparedFeatures.map((feature) => (
          <div key={feature}>
            <dt>{t(`features.${feature}`)}</dt>
            <dd>
              <FeatureValue value={plan.features[feature]} />
            </dd>
          </div>
        ))}
      </dl>
      <div className="plan-entry__action">
        {open ? (
          <a
            className={buttonClass(plan.recommended ? "solid" : "outline")}
            href={joinAddress(plan, period)}
            aria-describedby={headingId}
            data-track={`plan-${plan.code}`}
          >
            {t("cta.choose")}
          </a>
        ) : (
          <Button disabled aria-describedby={`${headingId} ${reasonId}`}>
            {t(plan.ctaKey)}
          </Button>
        )}
      </div>
    </li>
  );
}
