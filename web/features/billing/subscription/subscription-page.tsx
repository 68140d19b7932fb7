import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";

import { formatDate } from "../../../i18n/format.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { PageHeader } from "../../../ui/app-shell/app-shell.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { lazyPart } from "../../lazy-part.tsx";
import type { Subscription } from "../billing-calls.ts";
import { subscriptionQuery } from "../billing-queries.ts";
import { dayBefore, moneyText } from "../billing-texts.ts";
import { useBillingView } from "../billing-view.ts";
import { Agreement, Attention } from "./agreement.tsx";
import { Entitlements } from "./entitlements.tsx";
import { FirstRun } from "./first-run.tsx";
import { Invoices } from "./invoices.tsx";
import { Payments } from "./payments.tsx";

import "./subscription-page.css";

/** With the state machine of changes: only a subscription has any. */
const Actions = lazyPart(async () => (await import("./actions.tsx")).Actions);
const StoredCard = lazyPart(async () => (await import("./actions.tsx")).StoredCard);
export const subscriptionParts = [Actions, StoredCard];

/** The state of the subscription in one sentence. */
function useSentence(subscription: Subscription | undefined): string {
  const { t } = useTranslation(["subscription", "plans"]);
  const language = useLanguage();
  if (subscription === undefined) return t("lead.loading");
  const { plan, status, nextBilling, periodTo } = subscription;
  const name = t(`plans:${plan}.name`);
  if (status === "none") return t("lead.none");
  if (status === "ending" && periodTo !== null)
    return t("lead.ending", { plan: name, date: formatDate(language, dayBefore(periodTo)) });
  if (nextBilling === null) return t("lead.plan", { plan: name });
  return t("lead.active", {
    plan: name,
    amount: moneyText(nextBilling),
    date: formatDate(language, nextBilling.on),
  });
}

function Parts({ subscription }: { subscription: Subscription }) {
  const { status, plan, card, attention, zone, discountPercent } = subscription;
  return (
    <div className="subscription-page">
      <Attention attention={attention} zone={zone} />
      {status === "none" ? (
        <FirstRun discountPercent={discountPercent} />
      ) : (
        <>
          <Agreement subscription={subscription} />
          <Suspense fallback={<Skeleton shape="block" count={2} />}>
            <Actions subscription={subscription} />
            <StoredCard card={card} />
          </Suspense>
        </>
      )}
      <Entitlements plan={plan} />
    </div>
  );
}

/** The own subscription: what it is, what each button would do, what was paid. */
export function SubscriptionPage() {
  const { t } = useTranslation("subscription");
  const query = useQuery(subscriptionQuery);
  const { texts, describe } = useBillingView("subscription");
  const sentence = useSentence(query.data);
  return (
    <>
      <PageHeader title={t("title")} lead={sentence} />
      <DataView
        query={query}
        texts={texts}
        skeleton={<Skeleton shape="block" count={2} />}
        isEmpty={() => false}
        empty={{ title: t("lead.none") }}
        describe={describe}
      >
        {(subscription) => <Parts subscription={subscription} />}
      </DataView>
      <div className="subscription-page">
        <Payments />
        <Invoices />
      </div>
    </>
  );
}
