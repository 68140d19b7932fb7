type TimeLabelsProps = {
  /** A scale over time, in pixels. */
  x: { (time: Date): number; range: () => number[]; ticks: (count: number) => Date[] };
  y: number;
  formatTick: (time: number) => string;
};

const tickPx = 96;
/** Closer to an end, a label is written towards the middle instead of around its tick. */
const endPx = 28;

/** The labels of a time axis; none of them leaves the plot. */
export function TimeLabels({ x, y, formatTick }: TimeLabelsProps) {
  const [left = 0, right = 0] = x.range();
  return x.ticks(Math.max(2, Math.floor((right - left) / tickPx))).map((tick) => {
    const at = x(tick);
    const anchor = right - at < endPx ? "end" : at - left < endPx ? "start" : "middle";
    return (
      <text key={tick.getTime()} x={at} y={y} textAnchor={anchor}>
        {formatTick(tick.getTime())}
      </text>
    );
  });
}
