import { useTranslation } from "react-i18next";

import { formatDate } from "../../../i18n/format.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import type { Action } from "../billing-calls.ts";
import { dayBefore, moneyText } from "../billing-texts.ts";

type Quote = Action["quote"];
type Next = Extract<Quote, { act: "resume" }>["next"];

export type ActionText = {
  /** Names the button's row. */
  title: string;
  /** What it does, on which date, at which price. */
  effect: string;
  /** Opens the confirmation. */
  open: string;
  /** Does it. */
  confirm: string;
};

function useParts() {
  const { t } = useTranslation(["subscription", "plans"]);
  const language = useLanguage();
  const date = (day: string): string => formatDate(language, day);
  const afterwards = (next: Next): string =>
    next === null ? "" : t("acts.then", { amount: moneyText(next), date: date(next.on) });
  return { t, date, afterwards };
}

type Parts = ReturnType<typeof useParts>;
type PaidNow = Extract<Quote, { act: "start" | "upgrade" }>;

function paidNowTexts(
  { terms, next }: PaidNow,
  { t, afterwards }: Parts,
): Omit<ActionText, "title"> {
  const { total, currency } = terms;
  const amount = moneyText({ amount: total, currency });
  const effect = t(total === 0 ? "acts.upgrade.free" : "acts.upgrade.effect", { amount });
  return {
    effect: [effect, afterwards(next)].join(" "),
    open: t("acts.upgrade.open"),
    confirm: t(total === 0 ? "acts.upgrade.confirmFree" : "acts.upgrade.confirm", { amount }),
  };
}

type UnpaidQuote = Exclude<Quote, PaidNow>;

function effectOf(quote: UnpaidQuote, { t, date, afterwards }: Parts): string {
  switch (quote.act) {
    case "downgrade":
      return t("acts.downgrade.effect", {
        date: date(quote.effective),
        amount: moneyText(quote.price),
      });
    case "drop-downgrade":
    case "resume":
      return [t(`acts.${quote.act}.effect`), afterwards(quote.next)].join(" ");
    case "withdraw":
      return t("acts.withdraw.effect", { amount: moneyText(quote.refund) });
    case "cancel":
      return t("acts.cancel.effect", { date: date(dayBefore(quote.endsOn)) });
  }
}

/** What each button says before it is pressed. */
export function useActionText(): (action: Action) => ActionText {
  const parts = useParts();
  const { t } = parts;
  return ({ quote, choice }) => {
    const chosen =
      choice &&
      t("acts.choice", {
        plan: t(`plans:${choice.plan}.name`),
        cycle: t(`plans:period.${choice.cycle}`),
      });
    if (quote.act === "start" || quote.act === "upgrade")
      return { title: chosen ?? "", ...paidNowTexts(quote, parts) };
    return {
      title: quote.act === "downgrade" ? (chosen ?? "") : t(`acts.${quote.act}.title`),
      effect: effectOf(quote, parts),
      open: t(`acts.${quote.act}.open`),
      confirm: t(`acts.${quote.act}.confirm`),
    };
  };
}
