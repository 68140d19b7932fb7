/** A cell of the grid; the row of names is -1. */
export type GridCell = { readonly row: number; readonly column: number };
type GridSize = { readonly rows: number; readonly columns: number; readonly pageRows: number };
type Pressed = { readonly key: string; readonly ctrl: boolean; readonly isRtl: boolean };

/** The cell that a key leads to; undefined for any other key. */
export function cellAfter({ key, ctrl, isRtl }: Pressed, from: GridCell, size: GridSize) {
  const [last, end] = [size.rows - 1, size.columns - 1];
  const { row, column } = from;
  const forward = isRtl ? -1 : 1;
  const moves: Readonly<Record<string, GridCell>> = {
    ArrowDown: { row: ctrl ? last : row + 1, column },
    ArrowUp: { row: ctrl ? -1 : row - 1, column },
    ArrowRight: { row, column: column + forward },
    ArrowLeft: { row, column: column - forward },
    PageDown: { row: row + size.pageRows, column },
    PageUp: { row: row - size.pageRows, column },
    Home: { row: ctrl ? -1 : row, column: 0 },
    End: { row: ctrl ? last : row, column: end },
  };
  const to = moves[key];
  return (
    to && {
      row: Math.max(-1, Math.min(last, to.row)),
      column: Math.max(0, Math.min(end, to.column)),
    }
  );
}

/** The rectangle between two cells, without the row of names; the ends are excluded. */
export function rangeBetween(one: GridCell, other: GridCell) {
  return {
    fromRow: Math.max(0, Math.min(one.row, other.row)),
    toRow: Math.max(one.row, other.row, 0) + 1,
    fromColumn: Math.min(one.column, other.column),
    toColumn: Math.max(one.column, other.column) + 1,
  };
}
