import { useTranslation } from "react-i18next";

import { useLanguage } from "../../../i18n/use-language.ts";
import { BarChart } from "../../../ui/charts/bar-chart.tsx";
import { LineChart } from "../../../ui/charts/line-chart.tsx";
import { isolated } from "../../isolated.ts";
import { pointsMax, pointsOf, type ResultChart, valuesOf } from "./chart-of.ts";
import { type ResultColumn, type ResultValue, textOf } from "./result-rows.ts";

import "./result-chart.css";

type ChartProps = {
  /** What the chart is of, for screen readers. */
  title: string;
  columns: readonly ResultColumn[];
  /** At most {@link pointsMax} of them are drawn. */
  rows: readonly (readonly ResultValue[])[];
  chart: ResultChart;
};

const useNumber = () => {
  const format = new Intl.NumberFormat(useLanguage(), { maximumFractionDigits: 2 });
  return (value: number) => format.format(value);
};

function usePlotTexts(title: string) {
  const { t } = useTranslation("analyst-result");
  return { plot: title, explore: t("chart.explore"), showTable: t("chart.showTable") };
}

/** One value and what it is: no drawing says more. */
function Figure({ columns, rows, chart }: ChartProps) {
  const shown = useNumber();
  return (
    <dl className="result-figures">
      {chart.y.map((name) => {
        const value = valuesOf(columns, rows, name)?.[0] ?? null;
        const number = Number(value);
        return (
          <div key={name}>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd>
              <bdi>{value !== null && Number.isFinite(number) ? shown(number) : textOf(value)}</bdi>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Bars({ title, columns, rows, chart }: ChartProps) {
  const { t } = useTranslation("analyst-result");
  const shown = useNumber();
  const texts = usePlotTexts(title);
  const [y = ""] = chart.y;
  const labels = valuesOf(columns, rows, chart.x) ?? [];
  const values = (valuesOf(columns, rows, y) ?? []).map(Number);
  const bars = labels.map((label, at) => ({
    id: String(at),
    label: textOf(label) === "" ? t("chart.empty") : textOf(label),
    value: values[at] ?? 0,
  }));
  const most = bars.reduce((best, one) => (one.value > best.value ? one : best), {
    label: "",
    value: Number.NEGATIVE_INFINITY,
  });
  const sentence =
    bars.length === 0
      ? t("chart.nothing")
      : t("chart.most", { name: isolated(most.label), y: isolated(y), shown: shown(most.value) });
  return (
    <BarChart
      texts={{ ...texts, sentence, label: chart.x ?? "", value: y }}
      bars={bars}
      formatValue={shown}
    />
  );
}

const dayMs = 24 * 60 * 60_000;

function Lines({ title, columns, rows, chart }: ChartProps) {
  const { t } = useTranslation("analyst-result");
  const language = useLanguage();
  const shown = useNumber();
  const texts = usePlotTexts(title);
  const { times, series } = pointsOf(columns, rows, chart);
  const withHours = times.some((time) => time % dayMs !== 0);
  const hours = withHours ? ({ timeStyle: "short" } as const) : {};
  const long = new Intl.DateTimeFormat(language, { dateStyle: "long", ...hours, timeZone: "UTC" });
  const short = new Intl.DateTimeFormat(language, {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });
  const [first] = series;
  const most = (first?.values ?? []).reduce(
    (best, value, at) => (value > best.value ? { value, at } : best),
    { value: Number.NEGATIVE_INFINITY, at: 0 },
  );
  const sentence =
    first === undefined || times.length === 0
      ? t("chart.nothing")
      : t("chart.mostAt", {
          y: isolated(first.name),
          shown: shown(most.value),
          day: long.format(times[most.at]),
        });
  return (
    <LineChart
      texts={{ ...texts, sentence, time: chart.x ?? "" }}
      times={times}
      series={series}
      formatTime={(time) => long.format(time)}
      formatTick={(time) => short.format(time)}
    />
  );
}

/** A result as a chart, with its sentence before it and its data as a table behind it. */
export function ResultChartView(props: ChartProps) {
  const { t } = useTranslation("analyst-result");
  const { rows, chart } = props;
  const drawn = { ...props, rows: rows.slice(0, pointsMax) };
  const parts = { line: Lines, bar: Bars, figure: Figure, table: undefined };
  const Part = parts[chart.kind];
  if (Part === undefined) return null;
  return (
    <div className="result-chart">
      <Part {...drawn} />
      {rows.length > pointsMax && (
        <p className="result-chart__note">{t("chart.part", { count: pointsMax })}</p>
      )}
    </div>
  );
}
