import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";

import { BarChart } from "../../ui/charts/bar-chart.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Select } from "../../ui/field/select.tsx";
import { ReadingTable } from "../../ui/reading-table/reading-table.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { todayIn } from "../days-in-query.ts";
import { useViewTexts } from "../view-texts.ts";
import { dayPlus } from "./calendar/calendar-month.ts";
import { type Statistics, type StageKind, statisticsQuery } from "./queries.ts";
import { withValues } from "./search.ts";
import { useTrackerTexts } from "./tracker-texts.ts";

import "./statistics.css";

type ShownProps = { statistics: Statistics };

/** The way of a success, in its order; endings stand beside it. */
const way = ["saved", "applied", "interviewing", "offered", "accepted"] as const;
const isOnWay = (kind: StageKind): boolean => way.some((one) => one === kind);

function useChartTexts(label: string, value: string) {
  const { t } = useTranslation("applications");
  return { explore: t("statistics.explore"), showTable: t("statistics.showTable"), label, value };
}

/** How far applications came. */
function Funnel({ statistics: { stages } }: ShownProps) {
  const { t } = useTranslation("applications");
  const { kind: nameOf, number } = useTrackerTexts();
  const shared = useChartTexts(t("columns.stage"), t("statistics.reached"));
  const reached = (kind: StageKind): number =>
    stages.find((stage) => stage.kind === kind)?.reached ?? 0;
  const sentence = t("statistics.sentence", {
    count: reached("applied"),
    interviews: number(reached("interviewing")),
    offers: number(reached("offered")),
  });
  return (
    <section className="tracker-statistics__part" aria-labelledby="funnel">
      <h2 id="funnel">{t("statistics.funnel")}</h2>
      <BarChart
        texts={{ ...shared, sentence, plot: t("statistics.funnel") }}
        bars={stages
          .filter(({ kind }) => isOnWay(kind))
          .map(({ kind, reached: value }) => ({ id: kind, label: nameOf(kind), value }))}
        formatValue={number}
      />
    </section>
  );
}

/** How long applications stayed where. */
function Days({ statistics: { stages } }: ShownProps) {
  const { t } = useTranslation("applications");
  const { kind: nameOf } = useTrackerTexts();
  const shared = useChartTexts(t("columns.stage"), t("statistics.median"));
  const known = stages.flatMap(({ kind, medianDays }) =>
    medianDays === null ? [] : [{ id: kind, label: nameOf(kind), value: medianDays }],
  );
  const longest = known.toSorted((one, other) => other.value - one.value)[0];
  const days = (value: number): string => t("statistics.days", { count: value });
  return (
    <section className="tracker-statistics__part" aria-labelledby="time-in-stage">
      <h2 id="time-in-stage">{t("statistics.time")}</h2>
      {longest === undefined ? (
        <p className="tracker__quiet">{t("statistics.noTime")}</p>
      ) : (
        <BarChart
          texts={{
            ...shared,
            sentence: t("statistics.longest", { stage: longest.label, days: days(longest.value) }),
            plot: t("statistics.time"),
          }}
          bars={known}
          formatValue={days}
        />
      )}
    </section>
  );
}

/** Where applications came from, and which of these led to interviews. */
function Sources({ statistics: { sources } }: ShownProps) {
  const { t } = useTranslation("applications");
  const { number } = useTrackerTexts();
  if (sources.length === 0) return null;
  return (
    <section className="tracker-statistics__part" aria-labelledby="sources">
      <h2 id="sources">{t("statistics.sources")}</h2>
      <ReadingTable
        caption={t("statistics.sources")}
        columns={[
          { id: "source", header: t("columns.source") },
          { id: "applications", header: t("title"), numeric: true },
          { id: "interviews", header: t("statistics.interviews"), numeric: true },
        ]}
        rows={sources.map(({ source, applications, interviews }) => ({
          id: source,
          cells: {
            source: source === "" ? t("statistics.noSource") : <bdi>{source}</bdi>,
            applications: number(applications),
            interviews: number(interviews),
          },
        }))}
      />
    </section>
  );
}

const periods = { "90d": 90, "12m": 365 } as const;
type Period = keyof typeof periods;
const periodNames: readonly Period[] = ["90d", "12m"];

/** How applications went: the way they came, the time it took, and their sources. */
export function StatisticsView() {
  const { t } = useTranslation("applications");
  const [search, setSearch] = useSearchParams();
  const { timeZone } = useTrackerTexts();
  const id = useId();
  const { texts, describe } = useViewTexts(t("statistics.loading"));
  const period = periodNames.find((name) => name === search.get("period"));
  const from = period && dayPlus(todayIn(timeZone), 1 - periods[period]);
  const query = useQuery(statisticsQuery(from === undefined ? {} : { from }));
  const choose = (value: string): void =>
    setSearch(withValues(search, { period: value }), { replace: true, preventScrollReset: true });
  return (
    <div className="tracker-statistics">
      <div className="tracker-statistics__period">
        <Field id={id} label={t("statistics.period")}>
          {(control) => (
            <Select
              {...control}
              value={period ?? ""}
              onChange={({ target }) => choose(target.value)}
            >
              <option value="">{t("statistics.periods.all")}</option>
              {periodNames.map((name) => (
                <option key={name} value={name}>
                  {t(`statistics.periods.${name}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <DataView
        query={query}
        texts={texts}
        skeleton={<Skeleton shape="block" count={2} />}
        isEmpty={({ applications }) => applications === 0}
        empty={{ title: t("statistics.empty"), body: t("statistics.emptyBody") }}
        filter={
          period && {
            title: t("statistics.emptyPeriod"),
            onClear: () => choose(""),
          }
        }
        describe={describe}
      >
        {(statistics) => (
          <div className="tracker-statistics__parts">
            <Funnel statistics={statistics} />
            <Days statistics={statistics} />
            <Sources statistics={statistics} />
          </div>
        )}
      </DataView>
    </div>
  );
}
