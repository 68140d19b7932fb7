import { scaleUtc } from "d3-scale";

import { nearest } from "./chart-cursor.ts";
import { ChartFigure, ChartPlot, type ChartTexts } from "./chart-figure.tsx";
import { TimeLabels } from "./time-labels.tsx";

import "./dot-chart.css";

export type Dot = {
  id: string;
  /** Epoch milliseconds. */
  time: number;
  /** What happened, for the table and the value of the plot. */
  text: string;
  /** `hollow`: left out of the count. */
  variant: "large" | "small" | "hollow";
};

type DotChartProps = {
  texts: ChartTexts & { time: string; event: string };
  /** Ascending by time. */
  dots: readonly Dot[];
  /** What each variant means; variants that do not occur are left out. */
  legend: Readonly<Record<Dot["variant"], string>>;
  /** The ends of the axis, in epoch milliseconds. */
  from: number;
  to: number;
  formatTime: (time: number) => string;
  formatTick: (time: number) => string;
};

const radii = { large: 7, small: 4.5, hollow: 5 };
const looks = ["large", "small", "hollow"] as const;
const sidePx = 16;
/** Between the centres of dots that are above one another. */
const layerPx = 17;
const axisPx = 28;

/** Dots closer than their width are stacked: the layer of each, from 0. */
export function layersOf(positions: readonly number[], widthPx: number): number[] {
  const ends: number[] = [];
  return positions.map((at) => {
    const free = ends.findIndex((end) => end <= at);
    const layer = free === -1 ? ends.length : free;
    ends[layer] = at + widthPx;
    return layer;
  });
}

type DrawingProps = Pick<DotChartProps, "dots" | "from" | "to" | "formatTick"> & {
  inlineSize: number;
  chosen: number | undefined;
};

const scaleOf = ({ from, to, inlineSize }: Pick<DrawingProps, "from" | "to" | "inlineSize">) =>
  scaleUtc([from, to], [sidePx, Math.max(inlineSize - sidePx, sidePx)]);

function Drawing(props: DrawingProps) {
  const { dots, formatTick, inlineSize, chosen } = props;
  const x = scaleOf(props);
  const positions = dots.map(({ time }) => x(time));
  const layers = layersOf(positions, layerPx);
  const baseline = layerPx * (Math.max(0, ...layers) + 1) + 6;
  return (
    <svg
      className="chart__drawing"
      width={inlineSize}
      height={baseline + axisPx}
      aria-hidden="true"
    >
      <g className="chart__axes">
        <line x1={0} x2={inlineSize} y1={baseline} y2={baseline} data-base="true" />
        <TimeLabels x={x} y={baseline + axisPx - 8} formatTick={formatTick} />
      </g>
      {dots.map(({ id, variant }, index) => (
        <circle
          key={id}
          className={`dots__dot dots__dot--${variant}`}
          data-chosen={index === chosen}
          cx={positions[index]}
          cy={baseline - layerPx * ((layers[index] ?? 0) + 0.5) - 1}
          r={radii[variant]}
        />
      ))}
    </svg>
  );
}

function Legend({ dots, legend }: Pick<DotChartProps, "dots" | "legend">) {
  return (
    <ul className="chart__legend">
      {looks
        .filter((variant) => dots.some((dot) => dot.variant === variant))
        .map((variant) => (
          <li key={variant}>
            <svg width="16" height="16" aria-hidden="true">
              <circle
                className={`dots__dot dots__dot--${variant}`}
                cx="8"
                cy="8"
                r={radii[variant]}
              />
            </svg>
            {legend[variant]}
          </li>
        ))}
    </ul>
  );
}

/** One dot for each event: what there is when there are too few for a curve. */
export function DotChart(props: DotChartProps) {
  const { texts, dots, legend, from, to, formatTime } = props;
  return (
    <ChartFigure
      texts={texts}
      table={{
        header: [texts.time, texts.event],
        rows: dots.map(({ id, time, text }) => ({ id, cells: [formatTime(time), text] })),
      }}
    >
      <Legend dots={dots} legend={legend} />
      <ChartPlot
        texts={texts}
        layout="time"
        points={dots.map(({ time, text }) => `${formatTime(time)}. ${text}`)}
        pointAt={(at, _, inlineSize) => {
          const x = scaleOf({ from, to, inlineSize });
          return nearest(
            dots.map(({ time }) => x(time)),
            at,
          );
        }}
      >
        {(inlineSize, chosen) => <Drawing {...props} inlineSize={inlineSize} chosen={chosen} />}
      </ChartPlot>
    </ChartFigure>
  );
}
