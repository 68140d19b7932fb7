import { channels } from "@pro-talent/schemas/analytics/kinds";
import type { Channel } from "@pro-talent/schemas/analytics/row";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";

import { accountApi } from "../../api-client/account-api.ts";
import { queryAnswer } from "../../api-client/query-answer.ts";
import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { Button } from "../../ui/button/button.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { useAccount } from "../account-query.ts";
import { type DaysAsked, daysOf, periodIn, todayIn, unitOf } from "../days-in-query.ts";
import { PeriodField } from "../period-field.tsx";
import { useViewTexts } from "../view-texts.ts";

import "./traffic-page.css";

const trafficQuery = (days: DaysAsked, zone: string, channel: Channel | undefined) =>
  queryOptions({
    queryKey: ["console", "traffic", days, zone, channel],
    queryFn: () => {
      const filter = channel === undefined ? {} : { channel };
      const query = { ...days, zone, unit: unitOf(days), ...filter };
      return queryAnswer(accountApi().call("GET /api/console/traffic", { query }));
    },
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });

type ControlsProps = { today: string; channel: Channel | undefined };

/** The period and the channel, both in the address. */
function Controls({ today, channel }: ControlsProps) {
  const { t } = useTranslation("traffic");
  const [query, setQuery] = useSearchParams();
  const clear = (): void => {
    const next = new URLSearchParams(query);
    next.delete("channel");
    setQuery(next, { replace: true });
  };
  return (
    <div className="traffic__controls">
      <PeriodField today={today} />
      {channel !== undefined && (
        <Button onClick={clear}>
          {t("filter.remove", { channel: t(`channelNames.${channel}`) })}
        </Button>
      )}
    </div>
  );
}

/** The charts are half of the page's code. */
const TrafficView = lazy(async () => ({
  default: (await import("./traffic-parts.tsx")).TrafficView,
}));

const outline = <Skeleton shape="block" count={3} />;

/** How the public site is used: only what visitors consented to, and daily counters. */
export function TrafficPage() {
  const { t } = useTranslation("traffic");
  const [search, setSearch] = useSearchParams();
  const { profile } = useAccount();
  const today = todayIn(profile.timeZone);
  const channel = channels.find((one) => one === search.get("channel"));
  const days = daysOf(periodIn(search), today);
  const query = useQuery(trafficQuery(days, profile.timeZone, channel));
  const { texts, describe } = useViewTexts(t("loading"));
  const filter = {
    title: t("filter.emptyTitle"),
    body: t("filter.emptyBody"),
    onClear: () => setSearch(new URLSearchParams()),
  };
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <Controls today={today} channel={channel} />
      <DataView
        query={query}
        texts={texts}
        skeleton={outline}
        isEmpty={({ totals }) => totals.visits === 0 && totals.countedViews === 0}
        empty={{ title: t("empty.title"), body: t("empty.body") }}
        filter={search.size > 0 ? filter : undefined}
        describe={describe}
        partial={({ totals }) =>
          totals.visits === 0 && totals.countedViews > 0 ? t("onlyCounted") : undefined
        }
      >
        {(traffic) => (
          <Suspense fallback={outline}>
            <TrafficView traffic={traffic} />
          </Suspense>
        )}
      </DataView>
    </>
  );
}
