import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { formatDate } from "../../../i18n/format.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { PageHeader } from "../../../ui/app-shell/app-shell.tsx";
import { buttonClass } from "../../../ui/button/button.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { EmptyState } from "../../../ui/view-state/view-state.tsx";
import { lazyPart } from "../../lazy-part.tsx";
import type { Subscription } from "../billing-calls.ts";
import { subscriptionQuery } from "../billing-queries.ts";
import { dayBefore } from "../billing-texts.ts";
import { useBillingView } from "../billing-view.ts";

import "./cancel-page.css";

/** Loaded while the subscription is asked for. */
const Cancellation = lazyPart(async () => (await import("./cancellation.tsx")).Cancellation);

function NothingToCancel({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation("subscription");
  const language = useLanguage();
  const { status, periodTo } = subscription;
  const ending = status === "ending" && periodTo !== null;
  return (
    <EmptyState
      title={t(ending ? "cancel.already" : "cancel.nothing")}
      body={
        ending
          ? t("cancel.alreadyBody", { date: formatDate(language, dayBefore(periodTo)) })
          : t("cancel.nothingBody")
      }
      action={
        <Link className={buttonClass("solid")} to="/account/subscription">
          {t("cancel.toSubscription")}
        </Link>
      }
    />
  );
}

/** The receipt stays although what is known about the subscription changes with it. */
function Course({ subscription }: { subscription: Subscription }) {
  // oxlint-disable-next-line react/hook-use-state -- what was there on arrival never changes
  const [first] = useState(subscription);
  const action = first.actions.find(({ quote: { act } }) => act === "withdraw" || act === "cancel");
  if (action === undefined) return <NothingToCancel subscription={first} />;
  return <Cancellation subscription={first} action={action} />;
}

/** Withdrawal and cancellation in two steps, also reached from the home page. */
export function CancelPage() {
  const { t } = useTranslation("subscription");
  const query = useQuery(subscriptionQuery);
  const { texts, describe } = useBillingView("subscription");
  useEffect(() => {
    // What fails here is loaded anew when it is shown.
    Cancellation.load().catch(() => undefined);
  }, []);
  return (
    <>
      <PageHeader title={t("cancel.title")} lead={t("cancel.lead")} />
      <DataView
        query={query}
        texts={texts}
        skeleton={<Skeleton shape="row" count={5} />}
        isEmpty={() => false}
        empty={{ title: t("cancel.nothing") }}
        describe={describe}
      >
        {(subscription) => (
          <Suspense fallback={<Skeleton shape="row" count={5} />}>
            <Course subscription={subscription} />
          </Suspense>
        )}
      </DataView>
    </>
  );
}
