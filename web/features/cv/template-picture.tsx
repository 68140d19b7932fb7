import type { Page } from "@pro-talent/schemas/studio/page";

import { accentColours } from "../documents/accents.ts";

/** Lines of text as bars: x, y, width, height. */
type Bar = readonly [x: number, y: number, width: number, height: number];
type Drawing = {
  /** In the accent colour. */
  accent: readonly Bar[];
  ink: readonly Bar[];
  text: readonly Bar[];
};

const lines = (x: number, y: number, widths: readonly number[]): Bar[] =>
  widths.map((width, index) => [x, y + index * 4, width, 1.6]);

const drawings: Readonly<Record<Page["template"], Drawing>> = {
  classic: {
    accent: [
      [8, 27, 14, 2],
      [8, 55, 18, 2],
    ],
    ink: [
      [20, 9, 30, 4.5],
      [8, 30.5, 54, 0.7],
      [8, 58.5, 54, 0.7],
    ],
    text: [[25, 17, 20, 1.6], ...lines(8, 34, [52, 48, 50, 36]), ...lines(8, 62, [50, 52, 44, 30])],
  },
  rail: {
    accent: [
      [0, 0, 2.5, 99],
      [8, 30, 12, 2],
      [8, 56, 10, 2],
    ],
    ink: [[8, 9, 34, 5]],
    text: [
      [8, 18, 24, 1.6],
      ...lines(26, 30, [36, 34, 36, 24]),
      ...lines(26, 56, [35, 36, 30, 33, 20]),
    ],
  },
  compact: {
    accent: [[8, 8, 54, 9]],
    ink: [],
    text: [
      ...lines(8, 21, [54, 50, 52]),
      ...lines(8, 36, [53, 54, 48, 51]),
      ...lines(8, 55, [54, 50, 52, 46, 53, 30]),
    ],
  },
  editorial: {
    accent: [[8, 24, 8, 1.4]],
    ink: [
      [8, 8, 44, 8],
      [8, 32, 20, 3],
      [8, 58, 24, 3],
    ],
    text: [...lines(8, 39, [46, 50, 44]), ...lines(8, 65, [48, 44, 50, 28])],
  },
};

type TemplatePictureProps = { template: Page["template"]; accent: Page["accent"]; rtl: boolean };

/** A template as a small sheet of paper, in the direction of the CV. Decorative: its name stands beside it. */
export function TemplatePicture({ template, accent, rtl }: TemplatePictureProps) {
  const drawing = drawings[template];
  const bars = (all: readonly Bar[], fill: string) =>
    all.map(([x, y, width, height]) => (
      <rect
        key={`${x} ${y}`}
        x={rtl ? 70 - x - width : x}
        y={y}
        width={width}
        height={height}
        fill={fill}
      />
    ));
  return (
    <svg className="cv-template" viewBox="0 0 70 99" aria-hidden="true">
      <rect width="70" height="99" fill="#fff" />
      {bars(drawing.text, "#c3c7cd")}
      {bars(drawing.ink, "#2b323b")}
      {bars(drawing.accent, accentColours[accent])}
    </svg>
  );
}
