import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

import { cursorAfter, type CursorLayout } from "./chart-cursor.ts";

import "./chart-figure.css";

export type ChartTexts = {
  /** What the chart says, made from its data: "14 opens by 6 visitors; most on Tuesday". */
  sentence: string;
  /** Names the plot for screen readers. */
  plot: string;
  /** How a keyboard reads the plot, shown while no point is chosen. */
  explore: string;
  showTable: string;
};

/** The same data in cells: a header row, then the rows. The first cell of a row names it. */
export type ChartTable = {
  header: readonly string[];
  rows: readonly { id: string; cells: readonly (string | number)[] }[];
};

type ChartFigureProps = { texts: ChartTexts; table: ChartTable; children: ReactNode };

/** A region that scrolls has to be reached by the keyboard. */
const scrollRegion = { role: "region", tabIndex: 0 } as const;

/** A chart with its sentence before it and its data as a table behind it. */
export function ChartFigure({ texts, table, children }: ChartFigureProps) {
  return (
    <figure className="chart">
      <figcaption className="chart__sentence">{texts.sentence}</figcaption>
      {children}
      <details className="chart__data">
        <summary>{texts.showTable}</summary>
        <div className="chart__scroll" aria-label={texts.plot} {...scrollRegion}>
          <table>
            <caption className="visually-hidden">{texts.plot}</caption>
            <thead>
              <tr>
                {table.header.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map(({ id, cells: [name, ...values] }) => (
                <tr key={id}>
                  <th scope="row">
                    <bdi>{name}</bdi>
                  </th>
                  {values.map((value, index) => (
                    <td key={table.header[index + 1]}>{value}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

type ChartPlotProps = {
  texts: ChartTexts;
  layout: CursorLayout;
  /** The text of each point, in the order of the keys. */
  points: readonly string[];
  /** The point under the pointer, in pixels of a plot of this inline size. */
  pointAt: (x: number, y: number, inlineSize: number) => number | undefined;
  /** Draws the plot in its inline size in pixels, with the chosen point. */
  children: (inlineSize: number, chosen: number | undefined) => ReactNode;
};

/**
 * The plot takes focus and is read point by point: arrows, Home, End; Escape leaves. To screen
 * readers it is a slider whose value is the text of the point.
 *
 * A time axis goes from left to right in every language, as in the clocks and calendars of charts in
 * Hebrew; lists of bars follow the direction of the page.
 */
export function ChartPlot({ texts, layout, points, pointAt, children }: ChartPlotProps) {
  const plot = useRef<HTMLDivElement>(null);
  const [inlineSize, setInlineSize] = useState(0);
  const [index, setIndex] = useState<number>();
  const chosen = index === undefined || index >= points.length ? undefined : index;
  const value = chosen === undefined ? undefined : points[chosen];

  useLayoutEffect(() => {
    const element = plot.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setInlineSize(element.clientWidth));
    setInlineSize(element.clientWidth);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const onKeyDown = (event: KeyboardEvent): void => {
    // Alt with an arrow is the browser's way back.
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = cursorAfter(event.key, chosen, points.length, layout);
    if (next === undefined) return;
    event.preventDefault();
    setIndex(next === "none" ? undefined : next);
  };
  const onPointer = (event: PointerEvent): void => {
    const box = event.currentTarget.getBoundingClientRect();
    setIndex(pointAt(event.clientX - box.left, event.clientY - box.top, inlineSize));
  };

  return (
    <>
      <div
        ref={plot}
        className={`chart__plot chart__plot--${layout}`}
        {...(layout === "time" ? { dir: "ltr" } : {})}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input cannot contain a drawing
        role="slider"
        tabIndex={0}
        aria-label={texts.plot}
        aria-orientation={layout === "time" ? "horizontal" : "vertical"}
        aria-valuemin={0}
        aria-valuemax={points.length}
        aria-valuenow={chosen === undefined ? 0 : chosen + 1}
        aria-valuetext={value ?? texts.explore}
        onKeyDown={onKeyDown}
        onBlur={() => setIndex(undefined)}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={({ pointerType }) => pointerType === "mouse" && setIndex(undefined)}
      >
        {inlineSize > 0 && children(inlineSize, chosen)}
      </div>
      {/* Screen readers have heard the value of the plot. */}
      <p className="chart__value" aria-hidden="true" data-chosen={chosen !== undefined}>
        <bdi>{value ?? texts.explore}</bdi>
      </p>
    </>
  );
}
