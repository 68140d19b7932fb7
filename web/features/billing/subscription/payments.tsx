import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import type { CallAnswer } from "../../../api-client/request.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { ReadingTable } from "../../../ui/reading-table/reading-table.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { useAccount } from "../../account-query.ts";
import { paymentsQuery } from "../billing-queries.ts";
import { dateText, discountOf, moneyText } from "../billing-texts.ts";
import { useBillingView } from "../billing-view.ts";

type Answer = CallAnswer<"GET /api/payments">;
type Payment = Answer["payments"][number];
type Refund = Answer["refunds"][number];

function usePaymentRow() {
  const { t } = useTranslation(["subscription", "plans"]);
  const statusOf = ({ status, dispute, returned, terms }: Payment): string => {
    const percent = discountOf(terms);
    const texts = [
      t(`payments.status.${status}`),
      ...(percent === undefined ? [] : [t("payments.discount", { percent })]),
      ...(returned > 0
        ? [
            t("payments.returned", {
              amount: moneyText({ amount: returned, currency: terms.currency }),
            }),
          ]
        : []),
      ...(dispute === null ? [] : [t(`payments.dispute.${dispute}`)]),
    ];
    return texts.join(" ");
  };
  return (payment: Payment) => {
    const { chargeId, at, purpose, terms } = payment;
    const plan = terms.lines.findLast(({ kind }) => kind === "plan")?.plan;
    return {
      id: chargeId,
      at,
      what: t(`payments.purpose.${purpose}`, {
        plan: plan === undefined ? "" : t(`plans:${plan}.name`),
      }),
      amount: moneyText({ amount: terms.total, currency: terms.currency }),
      status: statusOf(payment),
    };
  };
}

function useRefundRow() {
  const { t } = useTranslation("subscription");
  return ({ refundId, at, amount, currency, reason, status }: Refund) => ({
    id: refundId,
    at,
    what: t(`payments.refund.${reason}`),
    amount: moneyText({ amount: -amount, currency }),
    status: t(`payments.refundStatus.${status}`),
  });
}

function PaymentTable({ payments, refunds }: Answer) {
  const { t } = useTranslation("subscription");
  const language = useLanguage();
  const { timeZone } = useAccount().profile;
  const [paymentRow, refundRow] = [usePaymentRow(), useRefundRow()];
  const rows = [...payments.map(paymentRow), ...refunds.map(refundRow)].toSorted((one, other) =>
    other.at.localeCompare(one.at),
  );
  return (
    <ReadingTable
      caption={t("payments.title")}
      columns={[
        { id: "on", header: t("payments.on") },
        { id: "what", header: t("payments.what") },
        { id: "status", header: t("payments.state") },
        { id: "amount", header: t("payments.amount"), numeric: true },
      ]}
      rows={rows.map(({ id, at, what, amount, status }) => ({
        id,
        cells: {
          on: <time dateTime={at}>{dateText(language, at, timeZone)}</time>,
          what,
          status,
          amount: <bdi dir="ltr">{amount}</bdi>,
        },
      }))}
    />
  );
}

/** What was paid and returned, the newest first. */
export function Payments() {
  const { t } = useTranslation("subscription");
  const query = useQuery(paymentsQuery);
  const { texts, describe } = useBillingView("payments");
  return (
    <section className="billing-part" aria-labelledby="payments">
      <h2 id="payments" className="billing-part__title">
        {t("payments.title")}
      </h2>
      <DataView
        query={query}
        texts={texts}
        skeleton={<Skeleton shape="row" count={3} />}
        isEmpty={({ payments, refunds }) => payments.length + refunds.length === 0}
        empty={{ title: t("payments.empty"), body: t("payments.emptyBody") }}
        describe={describe}
      >
        {(answer) => <PaymentTable {...answer} />}
      </DataView>
    </section>
  );
}
