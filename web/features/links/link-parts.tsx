import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";

import { Button } from "../../ui/button/button.tsx";
import { BarChart } from "../../ui/charts/bar-chart.tsx";
import { LineChart } from "../../ui/charts/line-chart.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { isolated } from "../isolated.ts";
import { lazyPart } from "../lazy-part.tsx";
import type { LinkInsights } from "./link-queries.ts";
import { useLinkTexts } from "./link-texts.ts";

const MapChart = lazyPart(async () => (await import("../../ui/charts/map-chart.tsx")).MapChart);

/** Below so many opens there is a list, no curve. */
const curveOpensMin = 20;
const rowsMax = 8;

type PartProps = { insights: LinkInsights };

function OverTime({ insights: { series } }: PartProps) {
  const { t } = useTranslation("links");
  const { momentOf, day, opens } = useLinkTexts();
  const most = series.reduce((best, one) => (one.opens > best.opens ? one : best), {
    at: "",
    opens: 0,
    people: 0,
  });
  return (
    <section className="links__part">
      <h2>{t("time.title")}</h2>
      <LineChart
        texts={{
          sentence: t("time.sentence", { opens: opens(most.opens), time: day(most.at) }),
          plot: t("time.title"),
          explore: t("explore"),
          showTable: t("showTable"),
          time: t("time.time"),
        }}
        times={series.map(({ at }) => Date.parse(at))}
        series={[
          { id: "opens", name: t("totals.opens"), values: series.map((one) => one.opens) },
          { id: "people", name: t("totals.people"), values: series.map((one) => one.people) },
        ]}
        formatTime={momentOf(series)}
        formatTick={day}
      />
    </section>
  );
}

type Row = { id: string; label: string; value: number };
type RankingProps = {
  kind: "places" | "sources" | "devices" | "browsers";
  rows: readonly Row[];
  /** The parameter of the address that limits the questions to one row. */
  limits?: "country" | "source" | "device";
};

/** What there was most of, the list first; each row can limit the page to itself, and no more. */
function Ranking({ kind, rows, limits }: RankingProps) {
  const { t } = useTranslation("links");
  const { opens } = useLinkTexts();
  const [search, setSearch] = useSearchParams();
  const shown = rows.slice(0, rowsMax);
  const [first] = shown;
  if (first === undefined) return null;
  const chosen = limits === undefined ? null : search.get(limits);
  const toggle = (name: string, id: string): void => {
    const next = new URLSearchParams(search);
    if (chosen === id) next.delete(name);
    else next.set(name, id);
    setSearch(next, { replace: true, preventScrollReset: true });
  };
  const sentence = t(`${kind}.sentence`, {
    name: isolated(first.label),
    opens: opens(first.value),
    interpolation: { escapeValue: false },
  });
  return (
    <section className="links__part">
      <h2>{t(`${kind}.title`)}</h2>
      <BarChart
        texts={{
          sentence,
          plot: t(`${kind}.title`),
          explore: t("explore"),
          showTable: t("showTable"),
          label: t(`${kind}.label`),
          value: t("totals.opens"),
        }}
        bars={shown}
      />
      {limits !== undefined && (shown.length > 1 || chosen !== null) && (
        <p className="links__actions">
          {shown
            .filter(({ id }) => id !== "")
            .map(({ id, label }) => (
              <Button key={id} aria-pressed={id === chosen} onClick={() => toggle(limits, id)}>
                {t("filter.only", { name: label, interpolation: { escapeValue: false } })}
              </Button>
            ))}
        </p>
      )}
    </section>
  );
}

/** Opens by country; regions and cities are counted in theirs. */
function countriesOf({ places }: LinkInsights): { country: string; value: number }[] {
  const sums = new Map<string, number>();
  for (const { country, opens } of places) sums.set(country, (sums.get(country) ?? 0) + opens);
  return [...sums]
    .map(([country, value]) => ({ country, value }))
    .toSorted((one, other) => other.value - one.value);
}

function WorldMap({ insights }: PartProps) {
  const { t } = useTranslation("links");
  const { country, opens } = useLinkTexts();
  const known = countriesOf(insights).filter((one) => one.country !== "");
  const [first] = known;
  if (first === undefined) return null;
  return (
    <section className="links__part">
      <h2>{t("map.title")}</h2>
      <Suspense fallback={<Skeleton shape="block" />}>
        <MapChart
          texts={{
            sentence: t("map.sentence", {
              count: known.length,
              name: country(first.country),
              opens: opens(first.value),
            }),
            plot: t("map.title"),
            explore: t("explore"),
            showTable: t("showTable"),
            label: t("places.label"),
            value: t("totals.opens"),
            credit: t("map.credit"),
          }}
          places={known.map((one) => ({ ...one, name: country(one.country) }))}
        />
      </Suspense>
    </section>
  );
}

/** How long people looked at what the link leads to. */
function Viewing({ viewing }: { viewing: NonNullable<LinkInsights["viewing"]> }) {
  const { t } = useTranslation("links");
  const { number, duration } = useLinkTexts();
  const { seen, medianSeconds, medianPages, pagesTotal, downloads } = viewing;
  return (
    <section className="links__part">
      <h2>{t("viewing.title")}</h2>
      <dl className="links__figures">
        <div>
          <dt>{t("viewing.seen")}</dt>
          <dd>{number(seen)}</dd>
        </div>
        <div>
          <dt>{t("viewing.median")}</dt>
          <dd>{duration(medianSeconds)}</dd>
        </div>
        {pagesTotal > 0 && (
          <div>
            <dt>{t("viewing.pages")}</dt>
            <dd>{t("viewing.ofPages", { pages: number(medianPages), all: number(pagesTotal) })}</dd>
          </div>
        )}
        <div>
          <dt>{t("viewing.downloads")}</dt>
          <dd>{number(downloads)}</dd>
        </div>
      </dl>
    </section>
  );
}

/** What is not counted, with its reason in plain words. */
function Excluded({ insights: { excluded } }: PartProps) {
  const { t } = useTranslation("links");
  const { number, time } = useLinkTexts();
  if (excluded.length === 0) return null;
  return (
    <section className="links__part">
      <h2>{t("excluded.title")}</h2>
      <dl className="links__excluded">
        {excluded.map(({ exclusion, requests, lastAt }) => (
          <div key={exclusion}>
            <dt>
              {t(`excluded.${exclusion}.name`)} {number(requests)}
            </dt>
            <dd>
              {t(`excluded.${exclusion}.why`)}{" "}
              <span className="links__quiet">{t("list.last", { time: time(lastAt) })}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Everything that is known of the opens of one link in the range. */
export function LinkParts({ insights }: PartProps) {
  const { t } = useTranslation("links");
  const { country, source } = useLinkTexts();
  const places = insights.places.map((place) => ({
    id: [place.country, place.region, place.city].join("/"),
    label: [place.city, place.region, country(place.country)]
      .filter((part) => part !== "")
      .join(", "),
    value: place.opens,
  }));
  const enough = insights.totals.opens >= curveOpensMin;
  const devices = insights.devices.map(({ device, opens }) => ({
    id: device,
    label: t(`devices.${device}`),
    value: opens,
  }));
  const browsers = insights.browsers.map(({ browser, opens }) => ({
    id: browser,
    label: browser === "" ? t("devices.other") : browser,
    value: opens,
  }));
  const sources = insights.sources.map((one) => ({
    id: one.source === "" ? "direct" : one.source,
    label: source(one.source),
    value: one.opens,
  }));
  return (
    <>
      {enough && <OverTime insights={insights} />}
      {insights.viewing !== null && <Viewing viewing={insights.viewing} />}
      <WorldMap insights={insights} />
      <div className="links__pair">
        <Ranking kind="places" rows={places} />
        <Ranking kind="sources" rows={sources} limits="source" />
        <Ranking kind="devices" rows={devices} limits="device" />
        <Ranking kind="browsers" rows={browsers} />
      </div>
      <Excluded insights={insights} />
    </>
  );
}
