import type { Node } from "takumi-js/node";

import type { CardTitle } from "./card-title.ts";
import { paper } from "./mark.ts";

export const cardWidth = 1200;
export const cardHeight = 630;

/** Names of the pictures that the painter provides. */
export const pictures = { mark: "mark", sheetLtr: "sheet-ltr", sheetRtl: "sheet-rtl" } as const;

/** Longer titles are set smaller, so that 120 characters still fit beside the sheet. */
const sizes = [
  { upTo: 24, size: 92, leading: 1.06 },
  { upTo: 44, size: 76, leading: 1.1 },
  { upTo: 76, size: 62, leading: 1.14 },
  { upTo: Number.POSITIVE_INFINITY, size: 50, leading: 1.18 },
] as const;

/** A title of wide letters alone must not grow into the brand above it. */
const linesMax = 6;

function brandLine(brand: string): Node {
  return {
    type: "container",
    style: { display: "flex", flexDirection: "row", alignItems: "center", gap: 18 },
    children: [
      { type: "image", src: pictures.mark, width: 60, height: 60 },
      {
        type: "text",
        text: brand,
        style: { fontSize: 40, color: paper.ink },
      },
    ],
  };
}

function titleBlock({ text, graphemes, direction }: CardTitle): Node {
  const { size, leading } = sizes.find(({ upTo }) => graphemes <= upTo) ?? sizes[3];
  return {
    type: "text",
    text,
    dir: direction,
    style: {
      fontSize: size,
      lineHeight: leading,
      color: paper.ink,
      textAlign: "start",
      direction,
      width: 660,
      overflowWrap: "anywhere",
      lineClamp: linesMax,
      textOverflow: "ellipsis",
    },
  };
}

/** The share image of one title: brand above, title below, a ringed sheet at the end side. */
export function cardLayout(title: CardTitle, brand: string): Node {
  const rtl = title.direction === "rtl";
  return {
    type: "container",
    dir: title.direction,
    style: {
      display: "flex",
      direction: title.direction,
      position: "relative",
      width: cardWidth,
      height: cardHeight,
      backgroundColor: paper.canvas,
      overflow: "hidden",
    },
    children: [
      {
        type: "image",
        src: rtl ? pictures.sheetRtl : pictures.sheetLtr,
        width: 440,
        height: 560,
        style: { position: "absolute", top: 132, left: rtl ? -20 : 780 },
      },
      {
        type: "container",
        style: {
          position: "absolute",
          top: 0,
          left: rtl ? 464 : 76,
          width: 660,
          height: cardHeight,
          paddingTop: 68,
          paddingBottom: 72,
          display: "flex",
          flexDirection: "column",
          justifyContent: "space-between",
          alignItems: "flex-start",
          direction: title.direction,
        },
        children: [brandLine(brand), titleBlock(title)],
      },
    ],
  };
}
