import { scaleLinear, scaleUtc } from "d3-scale";
import { line } from "d3-shape";

import { nearest } from "./chart-cursor.ts";
import { ChartFigure, ChartPlot, type ChartTexts } from "./chart-figure.tsx";
import { TimeLabels } from "./time-labels.tsx";

export type Series = { id: string; name: string; values: readonly number[] };

type LineChartProps = {
  texts: ChartTexts & { time: string };
  /** Of the points, in epoch milliseconds, ascending. */
  times: readonly number[];
  /** One to three, each with a value for every time. The first is the subject of the chart. */
  series: readonly Series[];
  formatTime: (time: number) => string;
  formatTick: (time: number) => string;
};

const blockSize = 220;
const margin = { top: 12, end: 14, bottom: 26, start: 34 };

/** Scales of a plot of this inline size. Values begin at zero. */
function scales(inlineSize: number, times: readonly number[], series: readonly Series[]) {
  const highest = Math.max(1, ...series.flatMap(({ values }) => values));
  const x = scaleUtc(
    [times[0] ?? 0, times.at(-1) ?? 0],
    [margin.start, Math.max(inlineSize - margin.end, margin.start)],
  );
  const y = scaleLinear([0, highest], [blockSize - margin.bottom, margin.top]).nice(4);
  return { x, y };
}

type Scales = ReturnType<typeof scales>;

function Axes({ x, y, formatTick }: Scales & Pick<LineChartProps, "formatTick">) {
  const [left = 0, right = 0] = x.range();
  return (
    <g className="chart__axes">
      {y
        .ticks(4)
        .filter(Number.isInteger)
        .map((tick) => (
          <g key={tick}>
            <line x1={left} x2={right} y1={y(tick)} y2={y(tick)} data-base={tick === 0} />
            <text x={left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
              {tick}
            </text>
          </g>
        ))}
      <TimeLabels x={x} y={blockSize - 6} formatTick={formatTick} />
    </g>
  );
}

type DrawingProps = Pick<LineChartProps, "times" | "series" | "formatTick"> & {
  inlineSize: number;
  chosen: number | undefined;
};

function Drawing({ inlineSize, chosen, times, series, formatTick }: DrawingProps) {
  const { x, y } = scales(inlineSize, times, series);
  const path = line<number>(
    (_, index) => x(times[index] ?? 0),
    (value) => y(value),
  );
  const chosenX = x(times[chosen ?? 0] ?? 0);
  return (
    <svg
      className="chart__drawing"
      width={inlineSize}
      height={blockSize}
      viewBox={`0 0 ${inlineSize} ${blockSize}`}
      aria-hidden="true"
    >
      <Axes x={x} y={y} formatTick={formatTick} />
      {chosen !== undefined && (
        <line className="chart__cursor" x1={chosenX} x2={chosenX} y1={margin.top} y2={y(0)} />
      )}
      {series.map(({ id, values }, index) => (
        <path
          key={id}
          className={`chart__line chart__line--${index}`}
          d={path(values) ?? undefined}
        />
      ))}
      {chosen !== undefined &&
        series.map(({ id, values }, index) => (
          <circle
            key={id}
            className={`chart__point chart__point--${index}`}
            cx={chosenX}
            cy={y(values[chosen] ?? 0)}
            r={5}
          />
        ))}
    </svg>
  );
}

function Legend({ series }: Pick<LineChartProps, "series">) {
  return (
    <ul className="chart__legend">
      {series.map(({ id, name }, index) => (
        <li key={id}>
          <svg width="32" height="8" aria-hidden="true">
            <line className={`chart__line chart__line--${index}`} x2="32" y1="4" y2="4" />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

/** Lines over time. They differ by dash and weight too, never by colour alone. */
export function LineChart(props: LineChartProps) {
  const { texts, times, series, formatTime } = props;
  const point = (index: number): string => {
    const values = series.map(({ name, values: all }) => `${name}: ${all[index] ?? 0}`);
    return `${formatTime(times[index] ?? 0)}. ${values.join(", ")}`;
  };
  return (
    <ChartFigure
      texts={texts}
      table={{
        header: [texts.time, ...series.map(({ name }) => name)],
        rows: times.map((time, index) => ({
          id: String(time),
          cells: [formatTime(time), ...series.map(({ values }) => values[index] ?? 0)],
        })),
      }}
    >
      {series.length > 1 && <Legend series={series} />}
      <ChartPlot
        texts={texts}
        layout="time"
        points={times.map((_, index) => point(index))}
        pointAt={(at, _, inlineSize) => {
          const { x } = scales(inlineSize, times, series);
          return nearest(
            times.map((time) => x(time)),
            at,
          );
        }}
      >
        {(inlineSize, chosen) => <Drawing {...props} inlineSize={inlineSize} chosen={chosen} />}
      </ChartPlot>
    </ChartFigure>
  );
}
