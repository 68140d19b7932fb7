import { plans } from "@pro-talent/schemas/subscription/plans";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../../i18n/use-language.ts";
import { Choice as ChoiceField } from "../../../ui/choice/choice.tsx";
import { displayPrice } from "../../price-display.ts";
import type { Choice } from "../billing-calls.ts";

const [, ...paidPlans] = plans;
const cycles = ["monthly", "annual"] as const;

type CheckoutChoiceProps = { choice: Choice; busy: boolean; onChoose: (choice: Choice) => void };

/** Plan and billing cycle. Every change asks for a new quote. */
export function CheckoutChoice({ choice, busy, onChoose }: CheckoutChoiceProps) {
  const { t } = useTranslation(["checkout", "plans"]);
  const language = useLanguage();
  return (
    <div className="checkout__choice">
      <fieldset className="checkout__field" disabled={busy}>
        <legend>{t("choice.plan")}</legend>
        {paidPlans.map((plan) => (
          <div key={plan.code} className="checkout__option">
            <ChoiceField
              type="radio"
              id={`plan-${plan.code}`}
              name="plan"
              value={plan.code}
              label={t(`plans:${plan.code}.name`)}
              hint={t(`plans:${plan.code}.description`)}
              checked={choice.plan === plan.code}
              onChange={() => onChoose({ ...choice, plan: plan.code })}
            />
            <p className="checkout__price">
              <bdi dir="ltr">{displayPrice(plan, choice.cycle, language).month}</bdi>{" "}
              {t("plans:price.perMonth")}
            </p>
          </div>
        ))}
      </fieldset>
      <fieldset className="checkout__field checkout__field--cycle" disabled={busy}>
        <legend>{t("plans:period.label")}</legend>
        {cycles.map((cycle) => (
          <div key={cycle} className="checkout__option">
            <ChoiceField
              type="radio"
              id={`cycle-${cycle}`}
              name="cycle"
              value={cycle}
              label={t(`plans:period.${cycle}`)}
              hint={t(`choice.${cycle}`, {
                percent: paidPlans.find(({ code }) => code === choice.plan)?.price.discount ?? 0,
              })}
              checked={choice.cycle === cycle}
              onChange={() => onChoose({ ...choice, cycle })}
            />
          </div>
        ))}
      </fieldset>
    </div>
  );
}
