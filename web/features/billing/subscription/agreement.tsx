import { type ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { formatDate } from "../../../i18n/format.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { buttonClass } from "../../../ui/button/button.tsx";
import { instantText } from "../../instant-text.ts";
import type { Subscription } from "../billing-calls.ts";
import { dayBefore, lastDayUntil, moneyText } from "../billing-texts.ts";

import "./agreement.css";

/** Midnight is the end of the day before: a time of 0:00 is easily taken for the end of its own day. */
function useUntil(zone = "UTC"): (instant: string) => string {
  const { t } = useTranslation("subscription");
  const language = useLanguage();
  return (instant) => {
    const last = lastDayUntil(instant, zone);
    if (last === null) return instantText(language, instant, zone);
    return t("facts.endOf", { date: formatDate(language, last) });
  };
}

/** What needs the holder's attention, with the one thing to do. */
export function Attention({ attention, zone }: Pick<Subscription, "attention" | "zone">) {
  const { t } = useTranslation("subscription");
  const untilText = useUntil(zone ?? undefined);
  if (attention === null) return null;
  const until = attention.kind === "payment-failed" ? untilText(attention.accessUntil) : "";
  return (
    <section className="attention" aria-labelledby="attention">
      <h2 id="attention" className="attention__title">
        {t(`attention.${attention.kind}.title`)}
      </h2>
      <p>{t(`attention.${attention.kind}.body`, { until })}</p>
      {attention.kind === "confirm-payment" && attention.url !== null && (
        <a className={buttonClass("solid")} href={attention.url}>
          {t("attention.confirm-payment.action")}
        </a>
      )}
      {attention.kind === "payment-failed" && (
        <a className={buttonClass("solid")} href="#card">
          {t("attention.payment-failed.action")}
        </a>
      )}
    </section>
  );
}

type Fact = { id: string; term: string; value: ReactNode; note?: string | undefined };

/** What is paid, and when: price, cycle, start, period, next payment. */
function usePaymentFacts(subscription: Subscription): Fact[] {
  const { t } = useTranslation(["subscription", "plans"]);
  const language = useLanguage();
  const date = (day: string): string => formatDate(language, day);
  const { price, cycle, subscribedOn, periodFrom, periodTo, nextBilling } = subscription;
  return [
    ...(price === null
      ? []
      : [{ id: "price", term: t("facts.price"), value: <bdi dir="ltr">{moneyText(price)}</bdi> }]),
    ...(cycle === null
      ? []
      : [{ id: "cycle", term: t("facts.cycle"), value: t(`plans:period.${cycle}`) }]),
    ...(subscribedOn === null
      ? []
      : [{ id: "since", term: t("facts.since"), value: date(subscribedOn) }]),
    ...(periodFrom === null || periodTo === null
      ? []
      : [
          {
            id: "period",
            term: t("facts.period"),
            value: t("facts.fromTo", { from: date(periodFrom), to: date(dayBefore(periodTo)) }),
          },
        ]),
    {
      id: "next",
      term: t("facts.next"),
      value: nextBilling === null ? t("facts.noNext") : date(nextBilling.on),
      note: nextBilling === null ? undefined : moneyText(nextBilling),
    },
  ];
}

/** What ends or changes, and what can be had back. */
function useChangeFacts(subscription: Subscription): Fact[] {
  const { t } = useTranslation(["subscription", "plans"]);
  const language = useLanguage();
  const date = (day: string): string => formatDate(language, day);
  const { refund, accessUntil, scheduled, announcedPrice, zone } = subscription;
  const untilText = useUntil(zone ?? undefined);
  return [
    ...(refund === null
      ? [{ id: "refund", term: t("facts.refund"), value: t("facts.noRefund") }]
      : [
          {
            id: "refund",
            term: t("facts.refund"),
            value:
              refund.daysLeft === 0
                ? t("facts.lastDay")
                : t("facts.daysLeft", { count: refund.daysLeft }),
            note: t("facts.refundOf", {
              amount: moneyText(refund.amount),
              date: date(refund.lastDay),
            }),
          },
        ]),
    ...(accessUntil === null
      ? []
      : [{ id: "access", term: t("facts.access"), value: untilText(accessUntil) }]),
    ...(scheduled === null
      ? []
      : [
          {
            id: "scheduled",
            term: t("facts.scheduled"),
            value: t("acts.choice", {
              plan: t(`plans:${scheduled.plan}.name`),
              cycle: t(`plans:period.${scheduled.cycle}`),
            }),
            note: t("facts.from", { amount: moneyText(scheduled.price), date: date(scheduled.on) }),
          },
        ]),
    ...(announcedPrice === null
      ? []
      : [
          {
            id: "announced",
            term: t("facts.announced"),
            value: <bdi dir="ltr">{moneyText(announcedPrice.price)}</bdi>,
            note: t("facts.fromDay", { date: date(announcedPrice.on) }),
          },
        ]),
  ];
}

/** The contract as it is now, with every field of it. */
export function Agreement({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation(["subscription", "plans"]);
  const { plan, status, zone } = subscription;
  const facts = [...usePaymentFacts(subscription), ...useChangeFacts(subscription)];
  return (
    <section className="agreement" aria-labelledby="agreement">
      <div className="agreement__head">
        <h2 id="agreement" className="agreement__plan">
          {t(`plans:${plan}.name`)}
        </h2>
        <p className="agreement__status" data-status={status}>
          {t(`status.${status}`)}
        </p>
      </div>
      <dl className="agreement__facts">
        {facts.map(({ id, term, value, note }) => (
          <div key={id}>
            <dt>{term}</dt>
            <dd>
              {value}
              {note !== undefined && <span className="agreement__note">{note}</span>}
            </dd>
          </div>
        ))}
      </dl>
      {zone !== null && (
        <p className="agreement__zone">
          {t("facts.zone")} <bdi dir="ltr">{zone.replaceAll("_", " ")}</bdi>
        </p>
      )}
    </section>
  );
}
