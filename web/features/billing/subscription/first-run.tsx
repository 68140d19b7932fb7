import { plans } from "@pro-talent/schemas/subscription/plans";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { useLanguage } from "../../../i18n/use-language.ts";
import { buttonClass } from "../../../ui/button/button.tsx";
import { displayPrice } from "../../price-display.ts";
import type { Subscription } from "../billing-calls.ts";
import { checkoutPath } from "../checkout/choice-in-query.ts";

import "./first-run.css";

const [, ...paidPlans] = plans;

/** Without a subscription: the free plan is what is had, and what the others add. */
export function FirstRun({ discountPercent }: Pick<Subscription, "discountPercent">) {
  const { t } = useTranslation(["subscription", "plans"]);
  const language = useLanguage();
  return (
    <section className="first-run" aria-labelledby="first-run">
      <div className="first-run__now">
        <h2 id="first-run">{t("firstRun.title")}</h2>
        <p>{t("firstRun.body")}</p>
        {discountPercent !== null && (
          <p>
            <strong>{t("firstRun.discount", { percent: discountPercent })}</strong>
          </p>
        )}
      </div>
      <ul className="first-run__plans" aria-label={t("firstRun.plans")}>
        {paidPlans.map((plan) => {
          const { month, annualTotal, annualMonth } = displayPrice(plan, "monthly", language);
          return (
            <li key={plan.code} className="first-run__plan">
              <h3 className="first-run__name">{t(`plans:${plan.code}.name`)}</h3>
              <p className="first-run__price">
                <bdi dir="ltr">{month}</bdi> <span>{t("plans:price.perMonth")}</span>
              </p>
              <p>{t(`plans:${plan.code}.description`)}</p>
              <p className="first-run__annual">
                {t("plans:billing.monthly", { month: annualMonth, total: annualTotal })}
              </p>
              <Link
                className={buttonClass(plan.recommended ? "solid" : "outline")}
                to={checkoutPath({ plan: plan.code, cycle: "monthly" })}
              >
                {t("firstRun.choose", { plan: t(`plans:${plan.code}.name`) })}
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
