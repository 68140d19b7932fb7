import type { Chart, Tile } from "./work-queries.ts";

/** How a chart looks, in a box of 24 by 16. */
const drawings: Readonly<Record<Chart["kind"], string>> = {
  line: "M1.5 12.5 7 7l4.5 3L22 2.5",
  bar: "M2 2v12 M2 4h18 M2 8h12 M2 12h7",
  table: "M1.5 2h21 M1.5 6.5h21 M1.5 10.5h21 M1.5 14.5h21 M9 2v12.5",
  // The same in a mirror, as drawings of dashboards are in Hebrew.
  figure: "M12 2a4 6 0 1 0 .01 0z",
};

/** A small drawing of a kind of chart; the words beside it say the same. */
export function KindSign({ kind }: Pick<Chart, "kind">) {
  return (
    <svg className="kind-sign" width="24" height="16" viewBox="0 0 24 16" aria-hidden="true">
      <path d={drawings[kind]} />
    </svg>
  );
}

type Box = { tileId: string; x: number; y: number; width: number; sign: Chart["kind"] };

/** Tiles in rows of three parts, in their order; one that has no space in a row begins the next. */
function boxesOf(tiles: readonly Tile[]): Box[] {
  let [x, y] = [0, 0];
  return tiles.map(({ tileId, width, source }) => {
    if (x + width > 3) [x, y] = [0, y + 1];
    const box = { tileId, x, y, width, sign: source.kind === "question" ? source.chart : "line" };
    x += width;
    return box;
  });
}

const unit = { width: 34, height: 26, gap: 4 };

/** The tiles of a dashboard, as small as a stamp. */
export function LayoutDrawing({ tiles }: { tiles: readonly Tile[] }) {
  const boxes = boxesOf(tiles);
  const rows = Math.max(1, ...boxes.map(({ y }) => y + 1));
  const full = 3 * unit.width + 2 * unit.gap;
  const height = rows * (unit.height + unit.gap) - unit.gap;
  return (
    <svg className="layout-drawing" viewBox={`-1 -1 ${full + 2} ${height + 2}`} aria-hidden="true">
      {boxes.map(({ tileId, x, y, width, sign }) => (
        <g
          key={tileId}
          transform={`translate(${x * (unit.width + unit.gap)} ${y * (unit.height + unit.gap)})`}
        >
          <rect width={width * unit.width + (width - 1) * unit.gap} height={unit.height} rx="2" />
          <path d={drawings[sign]} transform="translate(5 5)" />
        </g>
      ))}
    </svg>
  );
}
