import type { ChargeTerms } from "@pro-talent/schemas/billing/prices";
import { useTranslation } from "react-i18next";

import { formatDate } from "../../i18n/format.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { dayBefore, moneyText, rateText } from "./billing-texts.ts";

import "./charge-lines.css";

function Amount({ amount, currency }: { amount: number; currency: string }) {
  return <bdi dir="ltr">{moneyText({ amount, currency })}</bdi>;
}

type Line = ChargeTerms["lines"][number];

function useLineName(): (line: Line) => string {
  const { t } = useTranslation(["billing", "plans"]);
  const language = useLanguage();
  return (line) => {
    if (line.kind === "discount") return t("lines.discount", { percent: line.percent });
    const { kind, plan, from, to } = line;
    return t(`lines.${kind}`, {
      plan: t(`plans:${plan}.name`),
      from: formatDate(language, from),
      to: formatDate(language, dayBefore(to)),
    });
  };
}

/** What is charged: plans, credits, discounts, the total, and the taxes in it. */
export function ChargeLines({ terms, total }: { terms: ChargeTerms; total: string }) {
  const { t } = useTranslation("billing");
  const nameOf = useLineName();
  const { lines, currency, taxes } = terms;
  return (
    <dl className="charge-lines">
      {lines.map((line) => (
        <div key={`${line.kind} ${line.plan} ${line.from}`} className="charge-lines__line">
          <dt>{nameOf(line)}</dt>
          <dd>
            <Amount amount={line.amount} currency={currency} />
          </dd>
        </div>
      ))}
      <div className="charge-lines__total">
        <dt>{total}</dt>
        <dd>
          <Amount amount={terms.total} currency={currency} />
        </dd>
      </div>
      {taxes.map(({ name, basisPoints, country, amount }) => (
        <div key={`${name} ${country}`} className="charge-lines__tax">
          <dt>{t("lines.tax", { rate: rateText(basisPoints) })}</dt>
          <dd>
            <Amount amount={amount} currency={currency} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
