import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMachine } from "@xstate/react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router-dom";

import { formatDate } from "../../../i18n/format.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { PageHeader } from "../../../ui/app-shell/app-shell.tsx";
import { Button, buttonClass } from "../../../ui/button/button.tsx";
import { useAccount } from "../../account-query.ts";
import { billingKey, paymentsQuery, subscriptionQuery } from "../billing-queries.ts";
import { dateText } from "../billing-texts.ts";
import { ChargeLines } from "../charge-lines.tsx";
import { quickQuestions, returnMachine } from "./return.machine.ts";

import "./checkout-page.css";

/** The payment that began the subscription, once it can be read. */
function Receipt() {
  const { t } = useTranslation(["checkout", "plans"]);
  const language = useLanguage();
  const { timeZone } = useAccount().profile;
  const { data: subscription } = useQuery(subscriptionQuery);
  const { data } = useQuery(paymentsQuery);
  const payment = data?.payments.find(({ purpose }) => purpose === "start");
  if (payment === undefined || subscription === undefined) return null;
  const last = subscription.refund?.lastDay;
  return (
    <div className="checkout__receipt">
      <p className="checkout__receipt-title">
        {t("receipt.title", {
          plan: t(`plans:${subscription.plan}.name`),
          date: dateText(language, payment.at, timeZone),
        })}
      </p>
      <ChargeLines terms={payment.terms} total={t("receipt.paid")} />
      {last !== undefined && (
        <p>
          <strong>{t("sheet.withdrawal.term")}</strong>{" "}
          {t("sheet.withdrawal.text", { date: formatDate(language, last) })}
        </p>
      )}
    </div>
  );
}

type State = ReturnType<typeof useReturn>["state"];

function useReturn(checkoutId: string) {
  const [snapshot, send] = useMachine(returnMachine, { input: { checkoutId } });
  const client = useQueryClient();
  const { value: state, context } = snapshot;
  useEffect(() => {
    if (state === "completed") void client.invalidateQueries({ queryKey: billingKey });
  }, [state, client]);
  const late = context.asked >= quickQuestions;
  return { state, url: context.url, late, again: () => send({ type: "again" }) };
}

type Ended = "completed" | "expired" | "refunded" | "unknown";
const endings: readonly Ended[] = ["completed", "expired", "refunded", "unknown"];
const endedIn = (state: State): Ended | undefined => endings.find((ending) => ending === state);

const wayOf = {
  completed: "/account/subscription",
  expired: "/checkout",
  refunded: "/account/subscription",
  unknown: "/account/subscription",
} as const satisfies Record<Ended, string>;

function Ending({ ended }: { ended: Ended }) {
  const { t } = useTranslation("checkout");
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <>
      <h2 tabIndex={-1} ref={title}>
        {t(`return.${ended}.title`)}
      </h2>
      <p>{t(`return.${ended}.body`)}</p>
      {ended === "completed" && <Receipt />}
      <Link className={buttonClass("solid")} to={wayOf[ended]}>
        {t(`return.${ended}.action`)}
      </Link>
    </>
  );
}

type WaitingProps = { unreached: boolean; late: boolean; url: string | null; again: () => void };

/** The provider has not reported the end: a payment may have been left on its page, or on the bank's. */
function Waiting({ unreached, late, url, again }: WaitingProps) {
  const { t } = useTranslation(["checkout", "billing"]);
  return (
    <>
      <h2>{t(late ? "return.late.title" : "return.waiting.title")}</h2>
      <output>
        {t(unreached ? "return.unreached" : late ? "return.late.body" : "return.waiting.body")}
      </output>
      {late && (
        <p className="checkout__ways">
          {url !== null && (
            <a className={buttonClass("solid")} href={url}>
              {t("return.late.goOn")}
            </a>
          )}
          <Button onClick={again}>{t("return.late.check")}</Button>
        </p>
      )}
    </>
  );
}

function Result({ checkoutId }: { checkoutId: string }): ReactNode {
  const { state, url, late, again } = useReturn(checkoutId);
  const ended = endedIn(state);
  return (
    <section className="checkout__result" aria-busy={ended === undefined}>
      {ended === undefined ? (
        <Waiting unreached={state === "unreached"} late={late} url={url} again={again} />
      ) : (
        <Ending ended={ended} />
      )}
    </section>
  );
}

/** Where the provider's page leads back to. */
export function ReturnPage() {
  const { t } = useTranslation("checkout");
  const [query] = useSearchParams();
  const checkoutId = query.get("checkout") ?? "";
  return (
    <>
      <PageHeader title={t("return.title")} />
      {checkoutId === "" ? (
        <section className="checkout__result">
          <Ending ended="unknown" />
        </section>
      ) : (
        <Result key={checkoutId} checkoutId={checkoutId} />
      )}
    </>
  );
}
