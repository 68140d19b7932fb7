import { ChartFigure, ChartPlot, type ChartTexts } from "./chart-figure.tsx";

import "./bar-chart.css";

export type Bar = {
  id: string;
  label: string;
  value: number;
  /** In doubt, or left out of the sum: drawn as an outline. */
  doubtful?: boolean;
};

type BarChartProps = {
  texts: ChartTexts & { label: string; value: string };
  /** In their order, usually the largest first. */
  bars: readonly Bar[];
  formatValue?: (value: number) => string;
};

/** Ranked bars with their labels and values beside them. They grow from the start of the line. */
export function BarChart({ texts, bars, formatValue = String }: BarChartProps) {
  const highest = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <ChartFigure
      texts={texts}
      table={{
        header: [texts.label, texts.value],
        rows: bars.map(({ id, label, value }) => ({ id, cells: [label, formatValue(value)] })),
      }}
    >
      <ChartPlot
        texts={texts}
        layout="list"
        points={bars.map(({ label, value }) => `${label}: ${formatValue(value)}`)}
        pointAt={(_, y) => {
          const index = Math.floor(y / rowPx);
          return index >= 0 && index < bars.length ? index : undefined;
        }}
      >
        {(_, chosen) => (
          <div className="bars">
            {bars.map(({ id, label, value, doubtful = false }, index) => (
              <div key={id} className="bars__row" data-chosen={index === chosen}>
                <bdi className="bars__label">{label}</bdi>
                <span className="bars__track">
                  <span
                    className="bars__bar"
                    data-doubtful={doubtful}
                    style={{ inlineSize: `${(value / highest) * 100}%` }}
                  />
                </span>
                <span className="bars__value">{formatValue(value)}</span>
              </div>
            ))}
          </div>
        )}
      </ChartPlot>
    </ChartFigure>
  );
}

/** The block size of a row in bar-chart.css. */
const rowPx = 36;
