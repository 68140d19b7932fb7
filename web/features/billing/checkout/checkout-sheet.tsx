import type { QuoteOf } from "@pro-talent/schemas/billing/quotes";
import { useTranslation } from "react-i18next";

import { formatDate } from "../../../i18n/format.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { Notice } from "../../../ui/notice/notice.tsx";
import { discountOf, moneyText } from "../billing-texts.ts";
import { ChargeLines } from "../charge-lines.tsx";

import "./checkout-sheet.css";

type StartQuote = QuoteOf<"start">;

/** What is different from what was shown before. */
function useChanges(now: StartQuote, before: StartQuote | undefined): string | undefined {
  const { t } = useTranslation("checkout");
  const language = useLanguage();
  if (before === undefined) return undefined;
  const [from, to] = [before, now].map(({ terms: { total, currency } }) =>
    moneyText({ amount: total, currency }),
  );
  const changes = [
    ...(from === to ? [] : [t("changed.amount", { from, to })]),
    ...(before.lastRefundDay === now.lastRefundDay || now.next === null
      ? []
      : [t("changed.days", { date: formatDate(language, now.next.on) })]),
  ];
  return [t("changed.title"), ...changes, t("changed.again")].join(" ");
}

/** What a discount makes the first period cost, and what later ones cost. */
function FirstAndLater({ quote: { price, terms } }: { quote: StartQuote }) {
  const { t } = useTranslation("checkout");
  if (discountOf(terms) === undefined) return null;
  const first = moneyText({ amount: terms.total, currency: terms.currency });
  return (
    <p className="checkout-sheet__discount">
      {t(`sheet.discount.${price.cycle}`, { first, amount: moneyText(price) })}
    </p>
  );
}

type SheetProps = { quote: StartQuote; before: StartQuote | undefined };

/** The order as it would be made now: everything that has to be known before it is paid. */
export function CheckoutSheet({ quote, before }: SheetProps) {
  const { t } = useTranslation(["checkout", "plans"]);
  const language = useLanguage();
  const changes = useChanges(quote, before);
  const { price, terms, next, lastRefundDay } = quote;
  const amount = moneyText({ amount: price.amount, currency: price.currency });
  const facts = [
    { id: "begins", text: t("sheet.begins.text") },
    ...(next === null
      ? []
      : [
          {
            id: "next" as const,
            text: t("sheet.next.text", {
              amount: moneyText(next),
              date: formatDate(language, next.on),
            }),
          },
        ]),
    { id: "renewal", text: t(`sheet.renewal.${price.cycle}`, { amount }) },
    {
      id: "withdrawal",
      text: t("sheet.withdrawal.text", { date: formatDate(language, lastRefundDay) }),
    },
    { id: "cancel", text: t("sheet.cancel.text") },
  ] as const;
  return (
    <>
      <Notice kind="error">{changes}</Notice>
      <h2 className="checkout-sheet__title">
        {t("sheet.name", {
          plan: t(`plans:${price.plan}.name`),
          cycle: t(`plans:period.${price.cycle}`),
        })}
      </h2>
      <FirstAndLater quote={quote} />
      <ChargeLines terms={terms} total={t("sheet.today")} />
      <dl className="checkout-sheet__facts">
        {facts.map(({ id, text }) => (
          <div key={id}>
            <dt>{t(`sheet.${id}.term`)}</dt>
            <dd>{text}</dd>
          </div>
        ))}
        <div>
          <dt>{t("sheet.seller.term")}</dt>
          <dd>
            {t("sheet.seller.text")} <a href="/terms">{t("sheet.seller.terms")}</a>{" "}
            <a href="/contact">{t("sheet.seller.contact")}</a>
          </dd>
        </div>
      </dl>
    </>
  );
}
